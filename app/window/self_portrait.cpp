#include "app/window/self_portrait.h"

#include "ui/main_window.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QRegularExpression>

#include <chrono>
#include <cstdio>

namespace ym {

using namespace std::chrono_literals;

namespace {

// For the detail of the job, its fonts and the last animation.
constexpr auto settleTime = 1500ms;
constexpr auto longestWait = 15s;

QSize sizeFrom(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{3,4})x(\\d{3,4})$"));
    const QRegularExpressionMatch match = form.match(text);
    return match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
}

} // namespace

SelfPortrait::SelfPortrait(MainWindow *window, WindowOptions options, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_options(std::move(options))
{
    if (const QSize size = sizeFrom(m_options.size); size.isValid())
        m_window->resize(size);
    for (const PageId page : {PageId::Jobs, PageId::Queues, PageId::Workers}) {
        if (m_options.page == QLatin1String(pageName(page)))
            m_window->showPage(page);
    }
    m_settled.setSingleShot(true);
    connect(&m_settled, &QTimer::timeout, this, &SelfPortrait::take);
    m_settled.start(longestWait);
    connect(m_window->workspace(), &Workspace::applied, this, &SelfPortrait::onNews);
}

void SelfPortrait::onNews(const ChangeSet &changes)
{
    for (const JobSummary &job : changes.jobs) {
        if (m_newest.id.isEmpty() || job.createdAt > m_newest.createdAt)
            m_newest = job;
    }
    if (!changes.listingComplete)
        return;
    if (!m_newest.id.isEmpty() && m_window->workspace()->page() == PageId::Jobs)
        m_window->workspace()->openJob(m_newest.id);
    m_settled.start(settleTime);
}

void SelfPortrait::take()
{
    const bool saved = m_window->grab().save(m_options.screenshot, "PNG");
    if (!saved)
        std::fprintf(stderr, "yardmaster: The picture %s cannot be written.\n", qPrintable(m_options.screenshot));
    m_window->close();
    QCoreApplication::exit(saved ? 0 : 1);
}

} // namespace ym
