#include "core/engine/engine_connections.h"

#include "core/base/log.h"
#include "core/base/when_ready.h"
#include "core/engine/answer.h"
#include "core/engine/connection.h"
#include "core/engine/engine_local_run.h"
#include "core/engine/engine_session.h"
#include "core/engine/store_factory.h"
#include "core/worker/process_executor.h"

#include <QTimer>
#include <QUuid>

#include <tuple>

namespace ym {

namespace {

/// Deletes in the thread where the connection lives, whoever lets go last.
void deleteInItsThread(Connection *connection)
{
    connection->deleteLater();
}

/// Where the password of a workspace's loopback port is kept.
QString portSecret(const QString &profileId)
{
    return profileId + QStringLiteral("/port");
}

QCoro::Task<QString> tryConnection(StoreAddress address, Paths paths)
{
    const std::unique_ptr<Store> store = makeStore(address, paths, &Clock::system());
    co_await store->open();
    const Reply size = co_await store->command(cmd("DBSIZE"));
    const StoreStatus status = store->status();
    QStringList parts{status.server, EngineConnections::tr("%Ln key(s)", nullptr, int(std::min<qint64>(size.toInteger(), INT_MAX)))};
    parts += status.warnings;
    store->close();
    co_return parts.join(QStringLiteral(" · "));
}

/// The rest of a profile is only shown, or asked for when something is done.
bool needsNewConnection(const Profile &known, const Profile &wanted)
{
    const auto parts = [](const Profile &p) {
        return std::tie(p.url, p.protocol, p.order, p.keys, p.readOnly, p.limitsOnly);
    };
    return parts(known) != parts(wanted);
}

QCoro::Task<void> examined(ProcessExecutor *executor, Interpreter row, std::shared_ptr<QPromise<InterpreterStatus>> answer)
{
    const InterpreterStatus status = co_await executor->examine(row);
    answer->addResult(status);
    answer->finish();
}

} // namespace

/// The window's first frames go first.
constexpr std::chrono::seconds probeDelay{2};

/// What lives in the core thread and is shared by all connections.
struct EngineConnections::Core {
    QObject context; ///< posts to the core thread go here
    std::unique_ptr<ProcessExecutor> executor;
    TaskScope scope{"EngineConnections"};

    /// Finds out how jobs can be contained, so that the status line can say it before the first one.
    QCoro::Task<void> probeContainment() { co_await executor->containment(); }

    /// What still runs needs the executor.
    QCoro::Task<void> end()
    {
        co_await scope.drain();
        executor.reset();
        QThread::currentThread()->quit();
    }
};

EngineConnections::EngineConnections(EngineConfig config, Secrets *secrets, QObject *parent)
    : Connections(parent)
    , m_config(std::move(config))
    , m_secrets(secrets)
    , m_profileStore(m_config.paths.profilesFile())
    , m_core(std::make_unique<Core>())
{
    QString warning;
    m_profiles = m_profileStore.load(&warning);
    if (!warning.isEmpty())
        m_warnings.append(warning);
    if (const Result<void> read = m_interpreters.load(m_config.paths.interpretersFile()); !read)
        m_warnings.append(read.error().text());

    m_thread.setObjectName(QStringLiteral("core"));
    m_core->context.moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        &m_core->context,
        [core = m_core.get(), table = &m_interpreters] {
            ProcessExecutor::Options options;
            options.isWarm = true;
            core->executor = std::make_unique<ProcessExecutor>(table, options, &Clock::system());
            QTimer::singleShot(probeDelay, &core->context, [core] { core->scope.spawn(core->probeContainment()); });
        },
        Qt::QueuedConnection);
}

EngineConnections::~EngineConnections()
{
    const auto endThread = [core = m_core.get()] { core->end(); };
    shutDown().then([core = m_core.get(), endThread] { QMetaObject::invokeMethod(&core->context, endThread, Qt::QueuedConnection); });
    for (EngineSession *session : std::as_const(m_sessions))
        delete session;
    m_thread.wait();
}

Profile *EngineConnections::find(const QString &id)
{
    for (Profile &profile : m_profiles) {
        if (profile.id == id)
            return &profile;
    }
    return nullptr;
}

void EngineConnections::storeProfiles()
{
    if (const Result<void> saved = m_profileStore.save(m_profiles); !saved)
        qCWarning(logEngine, "%s", qUtf8Printable(saved.error().text()));
    Q_EMIT profilesChanged();
}

QString EngineConnections::save(Profile profile, std::optional<QString> password)
{
    if (profile.id.isEmpty())
        profile.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (password) {
        if (password->isEmpty())
            m_secrets->remove(profile.id);
        else
            m_secrets->write(profile.id, *password);
    }
    bool replaced = false;
    bool reopen = password.has_value();
    for (Profile &known : m_profiles) {
        if (known.id != profile.id)
            continue;
        reopen = reopen || needsNewConnection(known, profile);
        known = profile;
        replaced = true;
    }
    if (!replaced)
        m_profiles.append(profile);
    EngineSession *const open = m_sessions.value(profile.id);
    if (open && reopen)
        close(profile.id);
    else if (open)
        open->setProfile(profile);
    storeProfiles();
    return profile.id;
}

void EngineConnections::remove(const QString &id)
{
    if (id == QLatin1String(localProfileId))
        return;
    close(id);
    m_secrets->remove(id);
    m_secrets->remove(portSecret(id));
    m_profiles.removeIf([&id](const Profile &profile) { return profile.id == id; });
    storeProfiles();
}

Session *EngineConnections::session(const QString &id) const
{
    return m_sessions.value(id);
}

Session *EngineConnections::open(const QString &id)
{
    if (EngineSession *open = m_sessions.value(id))
        return open;
    const Profile *profile = find(id);
    if (!profile)
        return nullptr;
    auto *session = new EngineSession(*profile, this);
    m_sessions.insert(id, session);
    // A workspace is open once at a time: the session before must have let go of it.
    QFuture<void> before = m_closing.take(id);
    if (before.isFinished())
        begin(session, *profile);
    else
        whenReady(before, session, [this, session, saved = *profile] { begin(session, saved); });
    Q_EMIT sessionOpened(session);
    return session;
}

void EngineConnections::begin(EngineSession *session, const Profile &profile)
{
    whenReady(m_secrets->read(profile.id), session, [this, session, profile](const Result<QString> &password) {
        if (!profile.hasPort)
            return attach(session, profile, password.value_or(QString()), PortAccess{});
        whenReady(portAccess(profile.id), session, [=, this](const Result<PortAccess> &port) {
            attach(session, profile, password.value_or(QString()), port.value_or(PortAccess{}));
        });
    });
}

void EngineConnections::attach(EngineSession *session, const Profile &profile, const QString &password,
                               const PortAccess &port)
{
    Result<StoreAddress> address = parseStoreAddress(profile.url);
    if (!address)
        return session->refuse(address.error());
    if (!password.isEmpty())
        address->password = password;
    Connection::Setup setup{profile, *address, m_config.paths, port, nullptr, &Clock::system()};
    const QPointer<EngineSession> target(session);
    // Made in the core thread, because its parts belong there; then handed to the session in this thread.
    QMetaObject::invokeMethod(
        &m_core->context,
        [this, core = m_core.get(), setup, target]() mutable {
            setup.executor = core->executor.get();
            Result<std::unique_ptr<Connection>> made = Connection::create(setup);
            if (!made) {
                QMetaObject::invokeMethod(this, [target, error = made.error()] {
                    if (target)
                        target->refuse(error);
                });
                return;
            }
            const std::shared_ptr<Connection> shared(made->release(), deleteInItsThread);
            QMetaObject::invokeMethod(this, [target, shared] {
                if (target)
                    target->attach(shared);
            });
        },
        Qt::QueuedConnection);
}

void EngineConnections::close(const QString &id)
{
    EngineSession *session = m_sessions.take(id);
    if (!session)
        return;
    Q_EMIT sessionClosing(session);
    QFuture<void> down = session->shutDown(m_config.shutdownPatience);
    m_closing.insert(id, down);
    whenReady(down, session, [session] { session->deleteLater(); });
}

QFuture<Result<QString>> EngineConnections::test(Profile profile, std::optional<QString> password)
{
    auto answer = std::make_shared<Answer<QString>>();
    const QFuture<Result<QString>> future = answer->future();
    Result<StoreAddress> address = parseStoreAddress(profile.url);
    if (!address) {
        answer->give(tl::unexpected<Error>(address.error()));
        return future;
    }
    const auto start = [this, answer, saved = *address](const QString &secret) {
        StoreAddress target = saved;
        if (!secret.isEmpty())
            target.password = secret;
        QMetaObject::invokeMethod(
            &m_core->context,
            [core = m_core.get(), answer, target, paths = m_config.paths] {
                core->scope.spawn(answerWith<QString>(answer, tryConnection(target, paths)));
            },
            Qt::QueuedConnection);
    };
    if (password)
        start(*password);
    else
        whenReady(m_secrets->read(profile.id), this,
                  [start](const Result<QString> &kept) { start(kept.value_or(QString())); });
    return future;
}

QFuture<Result<PortAccess>> EngineConnections::portAccess(const QString &id)
{
    auto answer = std::make_shared<Answer<PortAccess>>();
    const QFuture<Result<PortAccess>> future = answer->future();
    whenReady(m_secrets->read(portSecret(id)), this, [this, id, answer](const Result<QString> &kept) {
        const Profile *const profile = find(id);
        if (!profile)
            return answer->give(failure(ErrorKind::NotFound, tr("This connection was removed.")));
        PortAccess access{profile->hasPort, profile->port, kept.value_or(QString())};
        if (!access.password.isEmpty())
            return answer->give(access);
        access.password = newPortPassword();
        whenReady(m_secrets->write(portSecret(id), access.password), this, [access, answer](const Result<bool> &) {
            answer->give(access); // without a keychain it is kept until the end
        });
    });
    return future;
}

void EngineConnections::keepPort(const QString &id, bool isWanted, quint16 port)
{
    Profile *const profile = find(id);
    if (!profile || (profile->hasPort == isWanted && profile->port == port))
        return;
    profile->hasPort = isWanted;
    profile->port = port;
    storeProfiles();
}

QFuture<Result<quint16>> EngineConnections::setPort(const QString &id, bool isWanted, quint16 port)
{
    keepPort(id, isWanted, port);
    auto answer = std::make_shared<Answer<quint16>>();
    const QFuture<Result<quint16>> future = answer->future();
    whenReady(portAccess(id), this, [this, id, answer](const Result<PortAccess> &access) {
        EngineSession *const session = m_sessions.value(id);
        if (!access || !session)
            return answer->give(access ? failure(ErrorKind::Unavailable, tr("This connection is not open."))
                                       : tl::unexpected<Error>(access.error()));
        whenReady(session->setPort(*access), this, [this, id, answer](const Result<quint16> &opened) {
            if (opened && *opened != 0)
                keepPort(id, true, *opened);
            answer->give(opened);
        });
    });
    return future;
}

QFuture<Result<QString>> EngineConnections::renewPortPassword(const QString &id)
{
    auto answer = std::make_shared<Answer<QString>>();
    const QFuture<Result<QString>> future = answer->future();
    const QString password = newPortPassword();
    const auto kept = m_secrets->write(portSecret(id), password);
    whenReady(kept, this, [this, id, password, answer](const Result<bool> &written) {
        const Profile *const profile = find(id);
        if (!written || !profile)
            return answer->give(written ? failure(ErrorKind::NotFound, tr("This connection was removed."))
                                        : tl::unexpected<Error>(written.error()));
        const auto set = setPort(id, profile->hasPort, profile->port);
        whenReady(set, this, [password, answer](const Result<quint16> &opened) {
            answer->give(opened ? Result<QString>(password) : tl::unexpected<Error>(opened.error()));
        });
    });
    return future;
}

QFuture<void> EngineConnections::shutDown()
{
    if (m_down.isValid() && !m_down.isCanceled())
        return m_down;
    QList<QFuture<void>> ends = m_closing.values();
    for (EngineSession *session : std::as_const(m_sessions))
        ends.append(session->shutDown(m_config.shutdownPatience));
    m_down = ends.isEmpty() ? QtFuture::makeReadyFuture() : QtFuture::whenAll(ends.begin(), ends.end()).then([](const QList<QFuture<void>> &) {});
    return m_down;
}

std::unique_ptr<LocalRun> EngineConnections::runHere(Job job, bool limitsOnly)
{
    Core *const core = m_core.get();
    return std::make_unique<EngineLocalRun>(EngineLocalRun::Parts{&core->context, [core] { return core->executor.get(); },
                                                                  &core->scope, m_config.paths.auditFile(), limitsOnly},
                                            std::move(job));
}

QList<InterpreterStatus> EngineConnections::interpreters() const
{
    QList<InterpreterStatus> list;
    for (const Interpreter &row : m_interpreters.rows())
        list.append(InterpreterTable::probe(row));
    return list;
}

QFuture<InterpreterStatus> EngineConnections::examineInterpreter(Interpreter interpreter)
{
    const auto answer = std::make_shared<QPromise<InterpreterStatus>>();
    answer->start();
    Core *const core = m_core.get();
    const auto examine = [core, answer, interpreter] { core->scope.spawn(examined(core->executor.get(), interpreter, answer)); };
    QMetaObject::invokeMethod(&core->context, examine, Qt::QueuedConnection);
    return answer->future();
}

void EngineConnections::storeInterpreters()
{
    if (const Result<void> saved = m_interpreters.save(m_config.paths.interpretersFile()); !saved)
        qCWarning(logEngine, "%s", qUtf8Printable(saved.error().text()));
    Q_EMIT interpretersChanged();
}

void EngineConnections::setInterpreter(Interpreter interpreter)
{
    if (const Result<void> set = m_interpreters.setRow(interpreter); !set) {
        qCWarning(logEngine, "%s", qUtf8Printable(set.error().text()));
        return;
    }
    storeInterpreters();
}

void EngineConnections::resetInterpreter(const QByteArray &type)
{
    if (m_interpreters.resetRow(type))
        storeInterpreters();
}

} // namespace ym
