#include "ui/detail/log_tab.h"

#include "core/base/counted.h"
#include "ui/connection_models.h"
#include "ui/detail/log_follower.h"
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

LogTab::LogTab(QWidget *parent)
    : DetailTab(parent)
    , m_lines(new LogLines(this))
    , m_follower(new LogFollower(m_lines, this))
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
    connect(m_follower, &LogFollower::opened, this, [this] { m_stack->setCurrentIndex(0); });
    connect(m_follower, &LogFollower::failed, this, &LogTab::showWhyNot);
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
        m_follower->clear();
    if (isVisible())
        follow();
}

void LogTab::clear()
{
    m_job = {};
    m_follower->clear();
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
    follow();
}

void LogTab::hideEvent(QHideEvent *event)
{
    DetailTab::hideEvent(event);
    m_follower->stop();
}

void LogTab::follow()
{
    if (models() && !m_job.id.isEmpty())
        m_follower->follow(models()->session(), m_job.id);
}

void LogTab::showWhyNot(const Error &why)
{
    const bool isMissing = why.kind == ErrorKind::NotFound;
    m_empty->show({"script", isMissing ? tr("No log") : tr("The log cannot be read"), why.text(), {}, {}});
    m_stack->setCurrentWidget(m_empty);
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
