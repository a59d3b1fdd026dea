#include "ui/detail/log_tab.h"

#include "core/base/when_ready.h"
#include "ui/connection_models.h"
#include "ui/counted.h"
#include "ui/detail/log_search_bar.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QKeyEvent>
#include <QLocale>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr std::chrono::milliseconds lookInterval{40}; ///< what is written is to be seen within 100 ms
constexpr int looksPerOpening = 25;

} // namespace

LogTab::LogTab(QWidget *parent)
    : DetailTab(parent)
    , m_lines(new LogLines(this))
    , m_status(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_follow(iconButton("follow", tr("Follow the end"), this))
    , m_view(new LineView(this))
    , m_search(new LogSearchBar(m_lines, m_view, this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
{
    m_view->setObjectName(QStringLiteral("logView"));
    m_view->setAccessibleName(tr("Log"));
    m_view->showLines(m_lines);
    auto *const content = new QWidget(this);
    auto *const column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTools());
    column->addWidget(m_view, 1);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    setLayout(m_stack);
    m_poll.setInterval(lookInterval);
    connect(&m_poll, &QTimer::timeout, this, &LogTab::look);
    connect(m_lines, &LogLines::extentChanged, this, &LogTab::showExtent);
}

QWidget *LogTab::makeTools()
{
    auto *const bar = new QWidget(this);
    auto *const row = toolRow();
    row->setContentsMargins(space::large, 2, space::small, 2);
    m_follow->setObjectName(QStringLiteral("followLog"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    connect(m_follow, &QToolButton::toggled, m_view, &LineView::setFollowing);
    row->addWidget(m_search, 1);
    row->addWidget(m_follow);
    auto *const column = new QVBoxLayout;
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    m_status->setContentsMargins(space::large, 0, space::large, 2);
    column->addWidget(m_status);
    bar->setLayout(column);
    return bar;
}

void LogTab::show(const JobDetail &detail)
{
    const bool isOther = detail.job.id != m_job.id || detail.job.attempt != m_job.attempt;
    m_job = detail.job;
    if (isOther)
        m_lines->open({});
    if (isVisible())
        open();
}

void LogTab::clear()
{
    m_job = {};
    m_poll.stop();
    m_lines->open({});
}

/// Ctrl+F means the log while one is in it.
bool LogTab::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    return DetailTab::event(event);
}

void LogTab::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Find))
        m_search->focusField();
    else if (event->key() == Qt::Key_F3)
        m_search->goOn(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else
        DetailTab::keyPressEvent(event);
}

void LogTab::showEvent(QShowEvent *event)
{
    DetailTab::showEvent(event);
    open();
}

void LogTab::hideEvent(QHideEvent *event)
{
    DetailTab::hideEvent(event);
    m_poll.stop();
}

/// The file of a job that is over may still be written to: by the next run of the same log path.
void LogTab::look()
{
    m_lines->look();
    if (++m_looks % looksPerOpening == 0)
        open();
}

void LogTab::open()
{
    if (!models() || m_job.id.isEmpty())
        return;
    m_poll.start();
    if (std::exchange(m_isOpening, true))
        return;
    whenReady(models()->session()->openLog(m_job.id), this, [this, id = m_job.id](const Result<OpenLog> &log) {
        m_isOpening = false;
        if (id == m_job.id)
            take(log);
        else if (isVisible())
            open();
    });
}

void LogTab::take(const Result<OpenLog> &log)
{
    if (!log && m_lines->isOpen())
        return; // what was read stays
    if (!log) {
        const bool isMissing = log.error().kind == ErrorKind::NotFound;
        m_empty->show({"script", isMissing ? tr("No log") : tr("The log cannot be read"), log.error().text(), {}, {}});
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_stack->setCurrentIndex(0);
    if (m_lines->isOpen() && m_lines->inode() == log->inode)
        m_lines->look();
    else
        m_lines->open(*log);
}

void LogTab::showExtent()
{
    if (!m_lines->isOpen()) {
        m_status->setText({});
        return;
    }
    const QString size = QLocale().formattedDataSize(m_lines->fileSize(), 1, QLocale::DataSizeIecFormat);
    const QString lines = counted(m_lines->lineCount(), tr("1 line"), tr("%1 lines"));
    m_status->setText(m_lines->isComplete()        ? tr("%1 · %2").arg(size, lines)
                          : m_lines->lineCount() == 0 ? tr("%1 · being read").arg(size) // one line without an end
                                                      : tr("%1 · the end is shown, the rest is being read").arg(size));
}

} // namespace ym
