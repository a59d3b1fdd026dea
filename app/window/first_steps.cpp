#include "app/window/first_steps.h"

#include "core/base/when_ready.h"
#include "ui/main_window.h"
#include "ui/ui_settings.h"

#include <QFile>

namespace ym {

namespace {

constexpr auto sampleSource = ":/samples/hello.py";
constexpr auto offeredSetting = "start/sampleOffered";

} // namespace

FirstSteps::FirstSteps(MainWindow *window, Connections *connections, UiSettings *settings, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_settings(settings)
{
    connect(connections, &Connections::sessionOpened, this, &FirstSteps::onSession);
    for (const Profile &profile : connections->profiles()) {
        if (Session *const session = connections->session(profile.id))
            onSession(session);
    }
}

void FirstSteps::offerSample(const Paths &paths)
{
    if (!m_settings->text(offeredSetting).isEmpty())
        return;
    const QString folder = paths.data + QStringLiteral("/samples");
    const QString file = folder + QStringLiteral("/hello.py");
    if (!ensureFolder(folder))
        return; // the Local workspace says what is wrong with the folder
    if (!QFile::exists(file) && !QFile::copy(QLatin1String(sampleSource), file))
        return;
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
    m_settings->setText(offeredSetting, QStringLiteral("yes"));
    m_window->openScript(file);
}

void FirstSteps::onSession(Session *session)
{
    if (session->profile().id != QLatin1String(localProfileId) || !m_settings->startsLocalWorker())
        return;
    if (session->state().phase == ConnectionState::Phase::Ready) {
        startWorker(session);
        return;
    }
    // Once: a worker that a person has stopped later stays stopped.
    auto *const once = new QObject(session);
    connect(session, &Session::stateChanged, once, [this, session, once] {
        if (session->state().phase != ConnectionState::Phase::Ready)
            return;
        once->deleteLater();
        disconnect(session, nullptr, once, nullptr);
        startWorker(session);
    });
}

void FirstSteps::startWorker(Session *session)
{
    WorkerRequest request;
    request.types = {"python"};
    whenReady(session->startWorker(request), this, [this](const Result<quint32> &started) {
        if (!started && started.error().kind != ErrorKind::Cancelled)
            m_window->workspace()->notify(
                {Notice::Kind::Warning, tr("The local worker did not start. %1").arg(started.error().text()), {}});
    });
}

} // namespace ym
