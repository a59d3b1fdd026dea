#include "tests/support/faulty_store.h"

#include <algorithm>

namespace ym::test {

namespace {

[[noreturn]] void unavailable(bool ambiguous)
{
    throw StoreError(
        Error{ErrorKind::Unavailable, QStringLiteral("The connection was lost (by the test)."), {}, ambiguous});
}

} // namespace

FaultyStore::FaultyStore(Store *inner, QObject *parent)
    : Store(parent)
    , m_inner(inner)
{
    connect(inner, &Store::statusChanged, this, &Store::statusChanged);
}

void FaultyStore::release()
{
    for (const auto &waiting : std::exchange(m_stuck, {}))
        waiting.resolve(true);
}

int FaultyStore::stuckCount() const
{
    return int(m_stuck.size());
}

void FaultyStore::close()
{
    m_inner->close();
    for (const auto &waiting : std::exchange(m_stuck, {}))
        waiting.reject(
            std::make_exception_ptr(StoreError(ErrorKind::Cancelled, QStringLiteral("The store was closed."))));
}

std::optional<FaultyStore::Plan> FaultyStore::faultForName(const QByteArray &name)
{
    ++m_calls[name];
    for (auto plan = m_plans.begin(); plan != m_plans.end(); ++plan) {
        if ((!plan->only.isEmpty() && plan->only != name) || --plan->nth > 0)
            continue;
        const Plan due = *plan;
        plan->nth = 1;
        if (plan->times > 0 && --plan->times == 0)
            m_plans.erase(plan);
        return due;
    }
    return std::nullopt;
}

/// A pipeline counts as one call of each of its verbs; the first fault that is due decides.
std::optional<FaultyStore::Plan> FaultyStore::faultFor(const std::vector<Command> &commands)
{
    std::optional<Plan> first;
    QList<QByteArray> seen;
    for (const Command &command : commands) {
        if (seen.contains(command.verb()))
            continue;
        seen << command.verb();
        const std::optional<Plan> due = faultForName(command.verb());
        if (!first)
            first = due;
    }
    return first;
}

/// Waits or throws as planned. Its value means nothing.
QCoro::Task<bool> FaultyStore::before(std::optional<Plan> plan)
{
    if (!plan || plan->fault == Fault::ReplyLost)
        co_return true;
    if (plan->fault == Fault::NotSent)
        unavailable(false);
    if (plan->fault == Fault::ErrorReply)
        throw StoreError(errorFromReply(plan->errorText));
    const Completion<bool> waiting;
    m_stuck.push_back(waiting);
    Q_EMIT stuck();
    co_await waiting;
    co_return true;
}

void FaultyStore::after(const std::optional<Plan> &plan)
{
    if (plan && plan->fault == Fault::ReplyLost)
        unavailable(true);
}

QCoro::Task<Reply> FaultyStore::command(Command command)
{
    const std::optional<Plan> plan = faultForName(command.verb());
    co_await before(plan);
    Reply reply = co_await m_inner->command(std::move(command));
    after(plan);
    co_return reply;
}

QCoro::Task<std::vector<Reply>> FaultyStore::pipeline(std::vector<Command> commands)
{
    const std::optional<Plan> plan = faultFor(commands);
    co_await before(plan);
    std::vector<Reply> replies = co_await m_inner->pipeline(std::move(commands));
    after(plan);
    co_return replies;
}

QCoro::Task<std::vector<Reply>> FaultyStore::transaction(std::vector<Command> commands)
{
    const std::optional<Plan> plan = faultFor(commands);
    co_await before(plan);
    std::vector<Reply> replies = co_await m_inner->transaction(std::move(commands));
    after(plan);
    co_return replies;
}

QCoro::Task<Reply> FaultyStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    const std::optional<Plan> plan = faultForName(script->name);
    co_await before(plan);
    Reply reply = co_await m_inner->script(script, std::move(keys), std::move(args));
    after(plan);
    co_return reply;
}

QCoro::Task<Reply> FaultyStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    const std::optional<Plan> plan = faultForName(command.verb());
    co_await before(plan);
    Reply reply = co_await m_inner->blocking(std::move(command), wait, std::move(stop));
    after(plan);
    co_return reply;
}

std::unique_ptr<Subscription> FaultyStore::subscribe(QList<QByteArray> channels, Match match)
{
    return m_inner->subscribe(std::move(channels), match);
}

QCoro::Task<bool> FaultyStore::waitUntilReady(std::stop_token stop)
{
    return m_inner->waitUntilReady(std::move(stop));
}

} // namespace ym::test
