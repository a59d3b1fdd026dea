#include "core/store/embedded/embedded_store.h"

#include "core/base/log.h"
#include "core/store/embedded/append_log.h"
#include "core/store/embedded/embedded_subscription.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/folder_lock.h"
#include "core/store/embedded/log_loader.h"
#include "core/store/embedded/log_salvage.h"
#include "core/store/embedded/torn_tail.h"

#include <limits>

namespace ym {

using namespace embedded;

namespace {

constexpr int commandsPerLoadStep = 20'000; ///< about 20 ms
constexpr Milliseconds longestSleep{3'600'000};

AppendLog::Fsync policyOf(EmbeddedStore::Fsync fsync)
{
    switch (fsync) {
    case EmbeddedStore::Fsync::EverySecond:
        return AppendLog::Fsync::EverySecond;
    case EmbeddedStore::Fsync::Always:
        return AppendLog::Fsync::Always;
    case EmbeddedStore::Fsync::Never:
        return AppendLog::Fsync::Never;
    }
    return AppendLog::Fsync::EverySecond;
}

} // namespace

/// A command that waits, with the one who awaits it.
struct BlockedCommand {
    ClientContext client;
    Completion<Reply> served;
};

struct EmbeddedStore::Private {
    Options options;
    Clock *clock;
    FolderLock lock;
    std::unique_ptr<AppendLog> log;
    std::unique_ptr<Executor> executor;
    ClientContext client;
    StoreStatus status;
    QStringList loadWarnings;
    StoreCost cost;

    QList<std::shared_ptr<BlockedCommand>> blocked;
    std::vector<std::pair<std::shared_ptr<BlockedCommand>, Reply>> served;
    MessageQueue messages;
    std::vector<Completion<bool>> readyWaiters;

    bool isEndOfTurnDue = false;
    std::stop_source tickStop;
    std::optional<Monotonic> tickAt;
    TaskScope scope{"EmbeddedStore"};

    bool isDurable() const { return !options.folder.isEmpty(); }
    QString logPath() const { return logPathIn(options.folder); }
};

EmbeddedStore::EmbeddedStore(Options options, Clock *clock, QObject *parent)
    : Store(parent)
    , d(std::make_unique<Private>())
{
    d->options = std::move(options);
    d->clock = clock;
    d->status.server = QStringLiteral("embedded");
    if (d->isDurable()) {
        d->log = std::make_unique<AppendLog>(
            policyOf(d->options.fsync), RewritePolicy{d->options.rewritePercentage, d->options.rewriteMinSize}, clock);
        d->log->setSnapshot([this](KeyspaceWriter writer) {
            for (const Keyspace &keys : d->executor->databases())
                writer.write(keys);
            return writer.finish(d->executor->logDatabase());
        });
        connect(d->log.get(), &AppendLog::troubleChanged, this,
                [this] { setPhase(d->status.phase, d->status.trouble); });
    }
    d->executor = std::make_unique<Executor>(clock, d->log.get());
    d->executor->setPersistence(d->log.get());
    d->executor->introduce(d->client);
}

EmbeddedStore::~EmbeddedStore()
{
    close();
    d->executor->forget(d->client);
}

QCoro::Task<void> EmbeddedStore::open()
{
    if (d->status.phase == StoreStatus::Phase::Ready)
        co_return;
    setPhase(StoreStatus::Phase::Connecting);
    std::optional<Error> trouble;
    try {
        if (d->isDurable())
            co_await load();
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (trouble) {
        d->lock.release();
        setPhase(StoreStatus::Phase::Refused, *trouble);
        throw StoreError(*trouble);
    }
    setPhase(StoreStatus::Phase::Ready);
    armTick();
}

/// Locks the folder and tells the executor its past, in steps that leave the event loop alive.
QCoro::Task<void> EmbeddedStore::load()
{
    if (const auto locked = d->lock.take(d->options.folder); !locked)
        throw StoreError(locked.error());
    LogLoader loader([this](const QList<QByteArray> &args) -> QByteArray {
        try {
            d->executor->replay(args);
            return {};
        } catch (const CommandError &e) {
            return e.text();
        }
    });
    if (const auto opened = loader.open(d->logPath()); !opened)
        throw StoreError(opened.error());
    bool hasMore = true;
    while (hasMore) {
        const auto stepped = loader.step(commandsPerLoadStep);
        if (!stepped)
            throw StoreError(stepped.error());
        hasMore = *stepped;
        if (!hasMore)
            break;
        const bool goesOn = co_await d->clock->sleep(Milliseconds{0}, d->scope.token());
        if (!goesOn)
            throw StoreError(ErrorKind::Cancelled, tr("The workspace was closed while it was loaded."));
    }
    if (loader.isTorn()) {
        const auto kept = keepTornTail(d->logPath(), loader.tornBytes());
        if (!kept)
            throw StoreError(kept.error());
        d->loadWarnings.append(*kept);
    }
    if (const auto opened = d->log->open(d->logPath(), loader.validSize(), loader.baseSize()); !opened)
        throw StoreError(opened.error());
    qCInfo(logStore) << "the workspace's log is loaded:" << loader.commandCount() << "commands";
}

void EmbeddedStore::close()
{
    if (d->status.phase == StoreStatus::Phase::Closed && d->scope.isStopping())
        return;
    d->tickStop.request_stop();
    d->scope.stop();
    d->status.phase = StoreStatus::Phase::Closed;
    if (d->log)
        d->log->close();
    d->lock.release();
    const auto served = std::exchange(d->served, {});
    const auto blocked = std::exchange(d->blocked, {});
    const auto waiters = std::exchange(d->readyWaiters, {});
    for (const auto &each : blocked)
        d->executor->forget(each->client);
    const QPointer<EmbeddedStore> self(this);
    for (const auto &[command, reply] : served)
        command->served.resolve(reply); // it has taken something: that must not get lost
    const auto cancelled = std::make_exception_ptr(StoreError(ErrorKind::Cancelled, tr("The workspace was closed.")));
    for (const auto &each : blocked)
        each->served.reject(cancelled);
    for (const auto &waiter : waiters)
        waiter.resolve(false);
    if (self)
        Q_EMIT statusChanged();
}

Result<void> EmbeddedStore::publishEndpoint(const QString &socket)
{
    return d->isDurable() ? d->lock.publish(socket) : Result<void>();
}

StoreStatus EmbeddedStore::status() const
{
    StoreStatus status = d->status;
    status.warnings = d->loadWarnings;
    if (d->log)
        status.warnings += d->log->troubles();
    return status;
}

StoreCost EmbeddedStore::cost() const
{
    return d->cost;
}

QString EmbeddedStore::displayName() const
{
    return d->isDurable() ? d->options.folder : tr("memory");
}

void EmbeddedStore::setPhase(StoreStatus::Phase phase, Error trouble)
{
    d->status.phase = phase;
    d->status.trouble = std::move(trouble);
    const QPointer<EmbeddedStore> self(this);
    Q_EMIT statusChanged();
    if (!self || phase == StoreStatus::Phase::Connecting)
        return;
    const auto waiters = std::exchange(d->readyWaiters, {});
    for (const auto &waiter : waiters)
        waiter.resolve(phase == StoreStatus::Phase::Ready);
}

void EmbeddedStore::checkOpen() const
{
    switch (d->status.phase) {
    case StoreStatus::Phase::Ready:
        return;
    case StoreStatus::Phase::Closed:
        if (d->scope.isStopping())
            throw StoreError(ErrorKind::Cancelled, tr("The workspace was closed."));
        break;
    case StoreStatus::Phase::Refused:
        throw StoreError(d->status.trouble);
    case StoreStatus::Phase::Connecting:
    case StoreStatus::Phase::Waiting:
        break;
    }
    throw StoreError(ErrorKind::Unavailable, tr("The workspace is not open yet."));
}

Reply EmbeddedStore::execute(const QList<QByteArray> &args)
{
    ++d->cost.commands;
    Reply reply = d->executor->execute(d->client, args).reply;
    scheduleEndOfTurn();
    return reply;
}

/// Where the log stands, for acknowledge(). While nothing may be written, what goes to the log is only the end of
/// expired keys, and nobody waits for that.
qint64 EmbeddedStore::logMark() const
{
    if (!d->log)
        return 0;
    return d->log->refusal().isEmpty() ? d->log->end() : std::numeric_limits<qint64>::max();
}

/// Waits until what was changed since the log stood at `before` may be acknowledged.
QCoro::Task<void> EmbeddedStore::acknowledge(qint64 before)
{
    if (d->log && d->log->end() > before)
        co_await d->log->acknowledgeable(d->log->end());
}

QCoro::Task<Reply> EmbeddedStore::command(Command command)
{
    checkOpen();
    const qint64 before = logMark();
    Reply reply = execute(command.args);
    if (reply.isError())
        throw StoreError(errorFromReply(reply.string));
    co_await acknowledge(before);
    co_return reply;
}

QCoro::Task<std::vector<Reply>> EmbeddedStore::pipeline(std::vector<Command> commands)
{
    checkOpen();
    const qint64 before = logMark();
    std::vector<Reply> replies;
    replies.reserve(commands.size());
    for (const Command &each : commands)
        replies.push_back(execute(each.args));
    co_await acknowledge(before);
    co_return replies;
}

QCoro::Task<std::vector<Reply>> EmbeddedStore::transaction(std::vector<Command> commands)
{
    checkOpen();
    const qint64 before = logMark();
    execute({"MULTI"});
    std::optional<QByteArray> refused;
    for (const Command &each : commands) {
        const Reply queued = execute(each.args);
        if (queued.isError() && !refused)
            refused = queued.string;
    }
    const Reply done = execute({refused ? "DISCARD" : "EXEC"});
    if (refused)
        throw StoreError(errorFromReply(*refused));
    for (const Reply &reply : done.elements) {
        if (reply.isError())
            throw StoreError(errorFromReply(reply.string));
    }
    co_await acknowledge(before);
    co_return done.elements;
}

QCoro::Task<Reply> EmbeddedStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    checkOpen();
    const qint64 before = logMark();
    QList<QByteArray> words{"EVALSHA", script->sha, QByteArray::number(keys.size())};
    words += keys;
    words += args;
    Reply reply = execute(words);
    if (reply.isError() && reply.string.startsWith("NOSCRIPT ")) {
        words[0] = "EVAL";
        words[1] = script->text;
        reply = execute(words);
    }
    if (reply.isError())
        throw StoreError(errorFromReply(reply.string));
    co_await acknowledge(before);
    co_return reply;
}

QCoro::Task<Reply> EmbeddedStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    checkOpen();
    if (stop.stop_requested())
        throw StoreError(ErrorKind::Cancelled, tr("Waiting was cancelled."));
    const qint64 before = logMark();
    ++d->cost.commands;
    const QPointer<EmbeddedStore> self(this);
    const auto waiter = std::make_shared<BlockedCommand>();
    waiter->client.mayBlock = true;
    waiter->client.longestWait = wait.count();
    waiter->client.onServed = [this, waiter = waiter.get()](Reply reply) {
        const auto found =
            std::find_if(d->blocked.cbegin(), d->blocked.cend(), [waiter](const auto &b) { return b.get() == waiter; });
        d->served.emplace_back(*found, std::move(reply));
        d->blocked.erase(found);
        scheduleEndOfTurn();
    };
    d->executor->introduce(waiter->client);
    embedded::Executor::Outcome outcome = d->executor->execute(waiter->client, command.args);
    scheduleEndOfTurn();
    if (outcome.isBlocked) {
        d->blocked.append(waiter);
        armTick();
        const std::stop_callback onStop(stop, [this, waiter] {
            if (!d->blocked.removeOne(waiter))
                return; // served already: the reply is on its way
            d->executor->forget(waiter->client);
            waiter->served.reject(
                std::make_exception_ptr(StoreError(ErrorKind::Cancelled, tr("Waiting was cancelled."))));
        });
        outcome.reply = co_await waiter->served;
    }
    if (!self || d->scope.isStopping()) // closed meanwhile; what was served before still counts
        co_return outcome.reply;
    d->executor->forget(waiter->client);
    if (outcome.reply.isError())
        throw StoreError(errorFromReply(outcome.reply.string));
    co_await acknowledge(before);
    outcome.reply.integer = outcome.reply.isNil() ? 0 : outcome.reply.integer;
    co_return outcome.reply;
}

std::unique_ptr<Subscription> EmbeddedStore::subscribe(QList<QByteArray> channels, Match match)
{
    checkOpen();
    d->cost.commands += 1;
    auto subscription = std::make_unique<EmbeddedSubscription>(this, d->executor.get(), &d->messages);
    subscription->listen(channels, match);
    connect(subscription.get(), &EmbeddedSubscription::queued, this, &EmbeddedStore::scheduleEndOfTurn);
    return subscription;
}

QCoro::Task<bool> EmbeddedStore::waitUntilReady(std::stop_token stop)
{
    if (d->status.phase == StoreStatus::Phase::Ready)
        co_return true;
    if (d->status.phase == StoreStatus::Phase::Refused || d->scope.isStopping() || stop.stop_requested())
        co_return false;
    const Completion<bool> ready;
    d->readyWaiters.push_back(ready);
    const std::stop_callback onStop(stop, [ready] { ready.resolve(false); });
    co_return co_await ready;
}

void EmbeddedStore::scheduleEndOfTurn()
{
    if (!std::exchange(d->isEndOfTurnDue, true))
        QMetaObject::invokeMethod(this, &EmbeddedStore::endTurn, Qt::QueuedConnection);
}

/// What a turn of the event loop has gathered goes out: first to the log, then to those who listen and wait.
void EmbeddedStore::endTurn()
{
    d->isEndOfTurnDue = false;
    if (d->status.phase != StoreStatus::Phase::Ready)
        return;
    if (d->log)
        d->log->flush();
    armTick();
    const QPointer<EmbeddedStore> self(this);
    const auto served = std::exchange(d->served, {});
    const auto messages = std::exchange(d->messages, {});
    for (const auto &[subscription, channel, payload] : messages) {
        if (subscription)
            Q_EMIT subscription->message(channel, payload);
    }
    for (const auto &[command, reply] : served)
        command->served.resolve(reply);
}

Executor &EmbeddedStore::executor() const
{
    return *d->executor;
}

qint64 EmbeddedStore::logEnd() const
{
    return d->log ? d->log->end() : 0;
}

bool EmbeddedStore::commit()
{
    if (d->log)
        d->log->flush();
    armTick();
    return !d->log || d->log->refusal().isEmpty();
}

bool EmbeddedStore::isSafe(qint64 end) const
{
    return !d->log || d->log->isAcknowledgeable(end);
}

void EmbeddedStore::whenSafe(qint64 end, QObject *context, std::function<void(bool)> done)
{
    d->scope.spawn(tellWhenSafe(end, context, std::move(done)));
}

QCoro::Task<void> EmbeddedStore::tellWhenSafe(qint64 end, QPointer<QObject> context, std::function<void(bool)> done)
{
    bool isSafe = true;
    try {
        if (d->log)
            co_await d->log->acknowledgeable(end);
    } catch (const StoreError &) {
        isSafe = false;
    }
    if (context)
        done(isSafe);
}

/// Sees to it that the executor's clock work is done in time.
void EmbeddedStore::armTick()
{
    const auto wait = d->executor->untilNextTick();
    if (!wait || d->scope.isStopping())
        return;
    const Milliseconds duration = std::min(*wait, longestSleep);
    const Monotonic at = d->clock->monotonic() + duration;
    if (d->tickAt && *d->tickAt <= at)
        return;
    d->tickStop.request_stop();
    d->tickStop = std::stop_source();
    d->tickAt = at;
    d->scope.spawn(tickAfter(duration, d->tickStop.get_token()));
}

QCoro::Task<void> EmbeddedStore::tickAfter(Milliseconds duration, std::stop_token stop)
{
    const bool passed = co_await d->clock->sleep(duration, stop);
    if (!passed)
        co_return;
    d->tickAt.reset();
    d->executor->tick();
    scheduleEndOfTurn();
}

} // namespace ym
