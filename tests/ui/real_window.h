// The real window on the real core: profiles, workspace and settings in a folder of the test's own.
#pragma once

#include "core/engine/engine_connections.h"
#include "models/job_table_model.h"
#include "tests/support/memory_secrets.h"
#include "tests/ui/dialog_window.h"
#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/main_window.h"

#include <QAction>

namespace ym::test {

class RealWindow {
public:
    /// `kept` are those of a test that starts the application again.
    explicit RealWindow(TestSettings *kept = nullptr)
        : m_settings(kept ? kept : &m_own)
        , m_connections({{m_settings->folder.filePath("config"), m_settings->folder.filePath("data")}, Milliseconds{500}}, &m_secrets)
        , window(&m_connections, &m_settings->settings)
    {
        window.resize(1280, 800);
        showActive(&window);
    }

    /// Saves the profile, opens it and waits until it is ready.
    void open(Profile profile)
    {
        beginToOpen(std::move(profile));
        waitUntilReady();
    }
    /// The same for a server that may never be ready.
    void beginToOpen(Profile profile)
    {
        window.workspace()->openConnection(m_connections.save(std::move(profile), std::nullopt));
    }
    /// Opens a Redis at this URL.
    void openRedis(const QString &url)
    {
        Profile profile;
        profile.name = QStringLiteral("redis");
        profile.url = url;
        open(profile);
    }
    void openLocal()
    {
        window.workspace()->openConnection(QString::fromLatin1(localProfileId));
        waitUntilReady();
    }
    Session *session() const { return window.workspace()->session(); }
    JobTableModel *jobs() const { return window.workspace()->current()->jobs; }
    JobState stateOf(const QByteArray &id) const
    {
        const auto job = jobs()->summary(id);
        return job ? job->state : JobState::Unknown;
    }
    void startPythonWorker(int slotCount)
    {
        WorkerRequest request;
        request.types = {"python"};
        request.slotCount = slotCount;
        const QFuture<Result<quint32>> started = session()->startWorker(request);
        QVERIFY(QTest::qWaitFor([&] { return started.isFinished(); }, 20000));
        QVERIFY2(started.result().has_value(), "the worker did not start");
    }
    /// Lets Python jobs read a folder: they have a temporary folder of their own and do not see that of the tests.
    void letPythonRead(const QString &folder)
    {
        for (const InterpreterStatus &row : m_connections.interpreters()) {
            if (row.interpreter.type != "python")
                continue;
            Interpreter python = row.interpreter;
            python.access.readable = {folder};
            m_connections.setInterpreter(python);
        }
    }
    /// Chooses an action as its menu entry does.
    void trigger(const char *action) { window.actions()->action(action)->trigger(); }

private:
    void waitUntilReady()
    {
        if (!QTest::qWaitFor([this] { return session() && session()->state().phase == ConnectionState::Phase::Ready; }, 20000))
            qFatal("the connection did not become ready");
    }

    TestSettings m_own;
    TestSettings *m_settings;
    MemorySecrets m_secrets;
    EngineConnections m_connections;

public:
    MainWindow window;
};

} // namespace ym::test
