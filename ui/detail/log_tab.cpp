#include "ui/detail/log_tab.h"

#include "ui/connection_models.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"

#include <QLocale>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

LogTab::LogTab(QWidget *parent)
    : DetailTab(parent)
    , m_status(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_view(new LineView(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
{
    m_view->setObjectName(QStringLiteral("logView"));
    m_view->setAccessibleName(tr("Log"));
    m_status->setContentsMargins(space::large, space::tiny, space::large, space::tiny);
    auto *const content = new QWidget(this);
    auto *const column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_status);
    column->addWidget(m_view, 1);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    setLayout(m_stack);
    m_poll.setInterval(std::chrono::seconds(1));
    connect(&m_poll, &QTimer::timeout, this, &LogTab::read);
}

void LogTab::show(const JobDetail &detail)
{
    const bool isOther = detail.job.id != m_job.id || detail.job.attempt != m_job.attempt;
    const bool ended = isTerminal(detail.job.state) && !isTerminal(m_job.state);
    m_job = detail.job;
    if (isOther) {
        m_end = -1;
        m_view->setBytes({});
    }
    if (isVisible() && (isOther || ended))
        read();
    if (isVisible() && !isTerminal(m_job.state))
        m_poll.start();
    else
        m_poll.stop();
}

void LogTab::clear()
{
    m_job = {};
    m_end = -1;
    m_poll.stop();
    m_view->setBytes({});
    m_status->setText({});
}

void LogTab::showEvent(QShowEvent *event)
{
    DetailTab::showEvent(event);
    read();
    if (!isTerminal(m_job.state))
        m_poll.start();
}

void LogTab::hideEvent(QHideEvent *event)
{
    DetailTab::hideEvent(event);
    m_poll.stop();
}

void LogTab::read()
{
    if (!models() || m_job.id.isEmpty() || m_isReading)
        return;
    m_isReading = true;
    models()
        ->session()
        ->log(m_job.id, m_end)
        .then(this, [this, id = m_job.id, from = m_end](const Result<LogSlice> &slice) {
            m_isReading = false;
            if (id == m_job.id && from == m_end)
                take(slice);
            else if (isVisible())
                read();
        });
}

void LogTab::take(const Result<LogSlice> &slice)
{
    if (!slice) {
        const bool isMissing = slice.error().kind == ErrorKind::NotFound;
        m_empty->show(
            {"script", isMissing ? tr("No log") : tr("The log cannot be read"), slice.error().text(), {}, {}});
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_stack->setCurrentIndex(0);
    const bool shrank = m_end > slice->fileSize;
    if (m_end < 0 || shrank)
        m_view->setBytes(slice->bytes);
    else if (!slice->bytes.isEmpty())
        m_view->appendBytes(slice->bytes);
    m_view->setFollowing(m_view->isFollowing());
    m_end = shrank ? -1 : slice->offset + slice->bytes.size();
    const QString size = QLocale().formattedDataSize(slice->fileSize, 1, QLocale::DataSizeIecFormat);
    const bool isWhole = slice->offset == 0 || m_end < 0;
    m_status->setText(isWhole ? size : tr("%1 in all; the end is shown").arg(size));
}

} // namespace ym
