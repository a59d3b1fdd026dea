#include "ui/detail/cut_bar.h"

#include "core/engine/session.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>

namespace ym {

namespace {

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 10240 ? 1 : 0, QLocale::DataSizeIecFormat);
}

} // namespace

CutBar::CutBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_button(new QPushButton(tr("Load all"), this))
{
    setObjectName(QStringLiteral("cutBar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_button->setObjectName(QStringLiteral("loadAll"));
    m_button->setProperty("compact", true);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(space::large, space::tiny, space::large, space::tiny);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &CutBar::load);
    hide();
}

void CutBar::offer(Session *session, const QByteArray &jobId, const QByteArray &field, qint64 shownBytes,
                   qint64 fullBytes)
{
    m_session = session;
    m_jobId = jobId;
    m_field = field;
    m_text->setText(tr("The first %1 of %2 are shown.").arg(sizeText(shownBytes), sizeText(fullBytes)));
    m_button->setEnabled(true);
    show();
}

void CutBar::withdraw()
{
    m_jobId.clear();
    hide();
}

void CutBar::load()
{
    if (!m_session)
        return;
    m_button->setEnabled(false);
    m_session->loadField(m_jobId, m_field)
        .then(this, [this, id = m_jobId, field = m_field](const Result<QByteArray> &bytes) {
            if (id != m_jobId || field != m_field)
                return;
            m_button->setEnabled(true);
            if (!bytes) {
                Q_EMIT failed(bytes.error());
                return;
            }
            withdraw();
            Q_EMIT loaded(id, field, *bytes);
        });
}

} // namespace ym
