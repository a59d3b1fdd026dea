#include "ui/notifier.h"

#include "core/base/text.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/workspace.h"

#include <QSystemTrayIcon>
#include <QWidget>

namespace ym {

Notifier::Notifier(Workspace *workspace, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
    m_desktop = [this](const QString &title, const QString &text) { return showOnDesktop(title, text); };
    connect(workspace, &Workspace::watchedJobEnded, this, &Notifier::tell);
}

Notifier::~Notifier() = default;

void Notifier::tell(Session *session, const JobSummary &job)
{
    m_lastProfile = session->profile().id;
    m_lastJob = job.id;
    const QString title = job.state == JobState::Finished ? tr("Job finished")
        : job.state == JobState::Lost                     ? tr("Job lost")
                                                          : tr("Job failed");
    const QString text =
        tr("%1 %2 in %3")
            .arg(shownText(job.target.type, Lines::Flatten, 40), shownText(job.id.left(8), Lines::Flatten, 16),
                 shownText(session->profile().name.toUtf8(), Lines::Flatten, 60));
    const bool isGood = job.state == JobState::Finished;
    m_workspace->notify({isGood ? Notice::Kind::Done : Notice::Kind::Warning, title + QStringLiteral(": ") + text, {}});
    if (m_workspace->settings()->notifiesOfEndedJobs() && !m_window->isActiveWindow())
        m_desktop(title, text);
}

bool Notifier::showOnDesktop(const QString &title, const QString &text)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages())
        return false;
    if (!m_tray) {
        m_tray = new QSystemTrayIcon(applicationIcon(), this);
        connect(m_tray, &QSystemTrayIcon::messageClicked, this, [this] {
            m_window->raise();
            m_window->activateWindow();
            m_workspace->openConnection(m_lastProfile);
            m_workspace->openJob(m_lastJob);
        });
    }
    m_tray->show();
    m_tray->showMessage(title, text, applicationIcon());
    return true;
}

} // namespace ym
