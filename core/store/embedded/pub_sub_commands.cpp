// PUBLISH, SUBSCRIBE and their kin.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/glob.h"
#include "core/store/embedded/numbers.h"

namespace ym::embedded {

namespace {

Reply publish(Call &c)
{
    return Reply::number(c.executor.pubSub().publish(c.arg(1), c.arg(2)));
}

/// What SUBSCRIBE and its kin answer, once for each name: all but the last go out as messages.
class Acknowledgements {
public:
    Acknowledgements(Call &call, const char *kind)
        : m_call(call)
        , m_kind(kind)
    {
    }

    void add(const std::optional<QByteArray> &name)
    {
        if (m_last)
            m_call.client.onMessage(*m_last);
        const auto count = m_call.client.channels.size() + m_call.client.patterns.size();
        m_last = Reply::array({Reply::bulk(m_kind), bulkOrNil(name), Reply::number(count)});
    }

    Reply last() const { return *m_last; }

private:
    Call &m_call;
    const char *m_kind;
    std::optional<Reply> m_last;
};

void checkListener(const Call &c)
{
    if (!c.client.onMessage)
        throw CommandError("ERR this connection cannot receive messages");
}

Reply subscribe(Call &c)
{
    checkListener(c);
    Acknowledgements answers(c, "subscribe");
    for (qsizetype i = 1; i < c.argc(); ++i) {
        c.executor.pubSub().subscribe(&c.client, c.arg(i));
        answers.add(c.arg(i));
    }
    return answers.last();
}

Reply psubscribe(Call &c)
{
    checkListener(c);
    Acknowledgements answers(c, "psubscribe");
    for (qsizetype i = 1; i < c.argc(); ++i) {
        c.executor.pubSub().subscribePattern(&c.client, c.arg(i));
        answers.add(c.arg(i));
    }
    return answers.last();
}

/// The named ones, or all when none is named.
QList<QByteArray> named(const Call &c, const QSet<QByteArray> &all)
{
    return c.argc() > 1 ? c.args.sliced(1) : all.values();
}

Reply unsubscribe(Call &c)
{
    Acknowledgements answers(c, "unsubscribe");
    const QList<QByteArray> names = named(c, c.client.channels);
    for (const QByteArray &name : names) {
        c.executor.pubSub().unsubscribe(&c.client, name);
        answers.add(name);
    }
    if (names.isEmpty())
        answers.add(std::nullopt);
    return answers.last();
}

Reply punsubscribe(Call &c)
{
    Acknowledgements answers(c, "punsubscribe");
    const QList<QByteArray> names = named(c, c.client.patterns);
    for (const QByteArray &name : names) {
        c.executor.pubSub().unsubscribePattern(&c.client, name);
        answers.add(name);
    }
    if (names.isEmpty())
        answers.add(std::nullopt);
    return answers.last();
}

Reply pubsubChannels(Call &c)
{
    QList<QByteArray> channels = c.executor.pubSub().channels();
    if (c.argc() == 3)
        channels.removeIf([&](const QByteArray &channel) { return !matchesGlob(c.arg(2), channel); });
    return bulkArray(channels);
}

Reply pubsubNumsub(Call &c)
{
    std::vector<Reply> counts;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        counts.push_back(Reply::bulk(c.arg(i)));
        counts.push_back(Reply::number(c.executor.pubSub().listenersOf(c.arg(i))));
    }
    return Reply::array(std::move(counts));
}

Reply pubsubNumpat(Call &c)
{
    return Reply::number(c.executor.pubSub().patternCount());
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'pubsub' command");
}

using enum CommandFlag;

constexpr CommandSpec pubsubRows[] = {
    {"pubsub|channels", -2, CommandFlag::PubSub, pubsubChannels},
    {"pubsub|numsub", -2, CommandFlag::PubSub, pubsubNumsub},
    {"pubsub|numpat", 2, CommandFlag::PubSub, pubsubNumpat},
};

constexpr CommandSpec rows[] = {
    {"publish", 3, CommandFlag::PubSub, publish},
    {"subscribe", -2, CommandFlag::PubSub | NoScript | WhileListening, subscribe},
    {"psubscribe", -2, CommandFlag::PubSub | NoScript | WhileListening, psubscribe},
    {"unsubscribe", -1, CommandFlag::PubSub | NoScript | WhileListening, unsubscribe},
    {"punsubscribe", -1, CommandFlag::PubSub | NoScript | WhileListening, punsubscribe},
    {"pubsub", -2, CommandFlag::PubSub, container, 0, 0, 0, pubsubRows},
};

} // namespace

std::span<const CommandSpec> pubSubCommands()
{
    return rows;
}

} // namespace ym::embedded
