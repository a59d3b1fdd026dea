#include "core/protocol/hero/job_wait.h"

#include "core/base/text.h"
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/replies.h"

#include <QCoreApplication>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr Milliseconds shortestSlice{250};
constexpr Milliseconds longestSlice{2'000}; ///< how late the end of a job without reply may be noticed

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroWait", text);
}

QByteArray seconds(Milliseconds duration)
{
    return QByteArray::number(double(std::max<qint64>(duration.count(), 1)) / 1000.0, 'f', 3);
}

/// The whole record when the job is over; nothing while it is not.
QCoro::Task<std::optional<Job>> lookIfOver(Store *store, QByteArray id)
{
    const QByteArray key = keys::job(id);
    const Reply status = co_await store->command(cmd("HMGET", key, "status", "id", "script"));
    const QList<QByteArray> values = status.toList();
    const auto state = readStatus(values.value(0));
    if (state && isTerminal(*state)) {
        const Reply record = co_await store->command(cmd("HGETALL", key));
        co_return readJob(id, pairsOf(record));
    }
    if (status.elements.size() == 3 && status.elements[0].isNil()) {
        const Reply exists = co_await store->command(cmd("EXISTS", key));
        if (exists.toInteger() == 0)
            throw StoreError(
                ErrorKind::NotFound,
                say(QT_TRANSLATE_NOOP("ym::HeroWait", "There is no job %1.")).arg(shownText(id, Lines::Flatten, 80)));
    }
    co_return std::nullopt;
}

struct Slice {
    bool replied = false;
    bool canBlock = true;
    std::optional<Error> trouble;
};

QCoro::Task<Slice> waitForReply(Store *store, Command wait, Milliseconds slice, std::stop_token stop)
{
    Slice result;
    try {
        const QList<QByteArray> asked = wait.args;
        const Reply reply = co_await store->blocking(wait.add(seconds(slice)), slice, stop);
        result.replied = !reply.isNil();
        if (reply.isArray() && !asked.contains(reply.toList().value(0)))
            throw StoreError(ErrorKind::Protocol,
                             say(QT_TRANSLATE_NOOP("ym::HeroWait", "The server answered with a list that was not asked for.")));
    } catch (const StoreError &e) {
        result.canBlock = e.kind() != ErrorKind::WrongType && e.kind() != ErrorKind::Permission
            && e.kind() != ErrorKind::ReadOnly;
        if (result.canBlock)
            result.trouble = e.error();
    }
    co_return result;
}

QCoro::Task<std::optional<Job>> lookOrTrouble(Store *store, QByteArray id, std::optional<Error> *trouble)
{
    try {
        std::optional<Job> job = co_await lookIfOver(store, id);
        co_return job;
    } catch (const StoreError &e) {
        if (!isTransient(e.kind()))
            throw;
        *trouble = e.error();
    }
    co_return std::nullopt;
}

} // namespace

QCoro::Task<Job> waitForJob(Store *store, Clock *clock, QByteArray id, Command wait, Milliseconds limit,
                            std::stop_token stop)
{
    const Monotonic end = clock->monotonic() + limit;
    Milliseconds slice = shortestSlice;
    bool canBlock = !wait.args.isEmpty();
    for (;;) {
        std::optional<Error> trouble;
        std::optional<Job> job = co_await lookOrTrouble(store, id, &trouble);
        if (job)
            co_return std::move(*job);
        const Milliseconds left = end - clock->monotonic();
        if (limit.count() > 0 && left.count() <= 0)
            throw StoreError(ErrorKind::Timeout,
                             say(QT_TRANSLATE_NOOP("ym::HeroWait", "The job %1 was not over in time."))
                                 .arg(shownText(id, Lines::Flatten, 80)));
        const Milliseconds pause = limit.count() > 0 ? std::min(slice, left) : slice;
        if (!trouble && canBlock) {
            const Slice waited = co_await waitForReply(store, wait, pause, stop);
            canBlock = waited.canBlock;
            trouble = waited.trouble;
            // A reply before the end of the record, or a stray one: look again soon, but do not spin on a full list.
            slice = waited.replied ? shortestSlice : std::min(slice * 2, longestSlice);
        } else if (!trouble) {
            co_await clock->sleep(pause, stop);
            slice = std::min(slice * 2, longestSlice);
        }
        if (stop.stop_requested())
            throw StoreError(ErrorKind::Cancelled, say(QT_TRANSLATE_NOOP("ym::HeroWait", "The wait was cancelled.")));
        if (!trouble)
            continue;
        if (!isTransient(trouble->kind))
            throw StoreError(*trouble);
        co_await clock->sleep(pause, stop);
        co_await store->waitUntilReady(stop);
        if (store->status().phase != StoreStatus::Phase::Ready)
            throw StoreError(*trouble);
    }
}

} // namespace ym::hero
