// The real Connections: profiles on disk, passwords in Secrets, sessions on one core thread.
#pragma once

#include "core/engine/paths.h"
#include "core/engine/profile_store.h"
#include "core/engine/session.h"
#include "core/worker/interpreter_table.h"

#include <QHash>
#include <QThread>

#include <memory>

namespace ym {

class Connection;
class EngineSession;
class Executor;

struct EngineConfig {
    Paths paths;
    Milliseconds shutdownPatience{3'000}; ///< for running jobs when the application ends
};

/// Owns the core thread, the executor that lives there, and every session. GUI thread. `secrets` must outlive it.
/// The destructor waits for shutDown(); call that first and await it, so that the window need not.
class EngineConnections final : public Connections {
    Q_OBJECT
public:
    EngineConnections(EngineConfig config, Secrets *secrets, QObject *parent = nullptr);
    ~EngineConnections() override;

    /// What went wrong while the files were read at the start; empty when all was well.
    QStringList startupWarnings() const { return m_warnings; }

    QList<Profile> profiles() const override { return m_profiles; }
    QString save(Profile profile, std::optional<QString> password) override;
    void remove(const QString &id) override;
    Session *open(const QString &id) override;
    Session *session(const QString &id) const override;
    void close(const QString &id) override;
    QFuture<Result<QString>> test(Profile profile, std::optional<QString> password) override;
    bool keepsSecrets() const override { return m_secrets->isPersistent(); }
    QFuture<Result<PortAccess>> portAccess(const QString &id) override;
    QFuture<Result<quint16>> setPort(const QString &id, bool isWanted, quint16 port) override;
    QFuture<Result<QString>> renewPortPassword(const QString &id) override;
    QFuture<void> shutDown() override;
    std::unique_ptr<LocalRun> runHere(Job job, bool limitsOnly) override;
    QList<InterpreterStatus> interpreters() const override;
    QFuture<InterpreterStatus> examineInterpreter(Interpreter interpreter) override;
    void setInterpreter(Interpreter interpreter) override;
    void resetInterpreter(const QByteArray &type) override;

private:
    struct Core;

    Profile *find(const QString &id);
    void begin(EngineSession *session, const Profile &profile);
    void attach(EngineSession *session, const Profile &profile, const QString &password, const PortAccess &port);
    void keepPort(const QString &id, bool isWanted, quint16 port);
    void storeProfiles();
    void storeInterpreters();

    EngineConfig m_config;
    Secrets *m_secrets;
    ProfileStore m_profileStore;
    QList<Profile> m_profiles;
    QStringList m_warnings;
    InterpreterTable m_interpreters; ///< thread-safe: the executor in the core thread reads it too
    QHash<QString, EngineSession *> m_sessions;
    QHash<QString, QFuture<void>> m_closing; ///< the last end of each profile's session
    QThread m_thread;
    std::unique_ptr<Core> m_core;
    QFuture<void> m_down;
};

} // namespace ym
