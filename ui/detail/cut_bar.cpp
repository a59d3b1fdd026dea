#include "ui/detail/cut_bar.h"

#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/engine/session.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>

namespace ym {

namespace {

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 10240 ? 1 : 0, QLocale::DataSizeIecFormat);
}

/// Empty where the id or the field cannot be an argument.
QString commandFor(const Profile &profile, const QByteArray &id, const QByteArray &field)
{
    for (const QByteArray &bytes : {id, field}) {
        if (bytes.isEmpty() || bytes.contains('\0') || QString::fromUtf8(bytes).toUtf8() != bytes)
            return {};
    }
    const QString store = profile.id == QLatin1String(localProfileId) ? QString() : QStringLiteral(" --store ") + shellWord(profile.url);
    const QString job = (id.startsWith('-') ? QStringLiteral("-- ") : QString()) + shellWord(QString::fromUtf8(id));
    return QStringLiteral("yardmaster%1 show --field %2 %3 > FILE").arg(store, shellWord(QString::fromUtf8(field)), job);
}

} // namespace

CutBar::CutBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_button(new QPushButton(this))
{
    setObjectName(QStringLiteral("cutBar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_button->setObjectName(QStringLiteral("loadAll"));
    m_button->setProperty("compact", true);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(space::large, space::tiny, space::large, space::tiny);
    m_text->setObjectName(QStringLiteral("cutText"));
    m_text->setElided(true);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &CutBar::act);
    hide();
}

void CutBar::offer(Session *session, const QByteArray &jobId, const QByteArray &field, qint64 shownBytes,
                   qint64 fullBytes)
{
    m_session = session;
    m_jobId = jobId;
    m_field = field;
    m_command = fullBytes > loadableBytes ? commandFor(session->profile(), jobId, field) : QString();
    const QString part = tr("%1: the first %2 of %3 are shown.")
                             .arg(shownText(field, Lines::Flatten, 60), sizeText(shownBytes), sizeText(fullBytes));
    m_text->setText(m_command.isEmpty() ? part : tr("%1 All of it: %2").arg(part, shownText(m_command.toUtf8())));
    m_button->setText(m_command.isEmpty() ? tr("Load all") : tr("Copy the command"));
    m_button->setVisible(fullBytes <= loadableBytes || !m_command.isEmpty());
    m_button->setEnabled(true);
    show();
}

void CutBar::withdraw()
{
    m_jobId.clear();
    hide();
}

void CutBar::act()
{
    if (m_command.isEmpty())
        load();
    else
        QApplication::clipboard()->setText(m_command);
}

void CutBar::load()
{
    if (!m_session)
        return;
    m_button->setEnabled(false);
    const auto answer = m_session->loadField(m_jobId, m_field);
    whenReady(answer, this, [this, id = m_jobId, field = m_field](const Result<QByteArray> &bytes) {
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
