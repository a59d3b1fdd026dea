#include "core/store/traced_store.h"

#include <algorithm>

namespace ym {

namespace {

constexpr qsizetype longestArgument = 128;

QByteArray hidden(const QByteArray &value)
{
    return "(hidden, " + QByteArray::number(value.size()) + " bytes)";
}

bool namesSecret(const QByteArray &name)
{
    const QByteArray lower = name.toLower();
    const auto has = [&lower](const char *word) { return lower.contains(word); };
    return name.size() <= 64
        && (lower == "env_vars" || lower == "requirepass" || lower == "masterauth" || has("password") || has("secret")
            || has("token"));
}

/// Payloads that carry a job's environment inside them.
bool carriesEnvironment(const QByteArray &value)
{
    return value.contains("\"env_vars\"") || value.contains("\"environment\"");
}

bool isAccountRule(const QByteArray &verb, const QByteArray &value)
{
    return verb == "ACL"
        && (value.startsWith('>') || value.startsWith('<') || value.startsWith('#') || value.startsWith('!'));
}

/// The first argument from which on everything is a credential.
qsizetype credentialsFrom(const QByteArray &verb, const QList<QByteArray> &args)
{
    if (verb == "AUTH")
        return 1;
    for (qsizetype i = 1; (verb == "HELLO" || verb == "MIGRATE") && i < args.size(); ++i) {
        if (args[i].toUpper().startsWith("AUTH"))
            return i + 1;
    }
    return args.size();
}

} // namespace

QList<QByteArray> shownArguments(const Command &command)
{
    const QList<QByteArray> &args = command.args;
    const QByteArray verb = command.verb().toUpper();
    const bool hasText = verb == "EVAL" || verb == "EVAL_RO";
    const qsizetype credentials = credentialsFrom(verb, args);
    QList<QByteArray> shown{verb};
    for (qsizetype i = 1; i < args.size(); ++i) {
        const QByteArray &value = args[i];
        const bool isSecret = i >= credentials || namesSecret(args[i - 1]) || carriesEnvironment(value)
            || isAccountRule(verb, value) || (hasText && i == 1);
        if (isSecret)
            shown << hidden(value);
        else if (value.size() > longestArgument)
            shown << value.left(longestArgument) + "… (" + QByteArray::number(value.size()) + " bytes)";
        else
            shown << value;
    }
    return shown;
}

TracedStore::TracedStore(std::unique_ptr<Store> inner, Clock *clock, qsizetype limit, QObject *parent)
    : Store(parent)
    , m_inner(std::move(inner))
    , m_clock(clock)
    , m_limit(std::max<qsizetype>(1, limit))
{
    connect(m_inner.get(), &Store::statusChanged, this, &Store::statusChanged);
}

TracedStore::~TracedStore()
{
    m_inner->close(); // while entries can still be added
}

QCoro::Task<void> TracedStore::open()
{
    return m_inner->open();
}

void TracedStore::close()
{
    m_inner->close();
}

QCoro::Task<Reply> TracedStore::command(Command command)
{
    TraceEntry entry = begin(TraceEntry::Way::Command, command);
    return follow(this, std::move(entry), m_inner->command(std::move(command)));
}

QCoro::Task<std::vector<Reply>> TracedStore::pipeline(std::vector<Command> commands)
{
    std::vector<TraceEntry> entries = beginAll(TraceEntry::Way::Pipeline, commands);
    return followAll(this, std::move(entries), m_inner->pipeline(std::move(commands)));
}

QCoro::Task<std::vector<Reply>> TracedStore::transaction(std::vector<Command> commands)
{
    std::vector<TraceEntry> entries = beginAll(TraceEntry::Way::Transaction, commands);
    return followAll(this, std::move(entries), m_inner->transaction(std::move(commands)));
}

QCoro::Task<Reply> TracedStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    Command told = cmd("EVALSHA", script->name, qint64(keys.size()));
    told.addAll(keys).addAll(args);
    TraceEntry entry = begin(TraceEntry::Way::Script, told);
    return follow(this, std::move(entry), m_inner->script(script, std::move(keys), std::move(args)));
}

QCoro::Task<Reply> TracedStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    TraceEntry entry = begin(TraceEntry::Way::Blocking, command);
    return follow(this, std::move(entry), m_inner->blocking(std::move(command), wait, std::move(stop)));
}

std::unique_ptr<Subscription> TracedStore::subscribe(QList<QByteArray> channels, Match match)
{
    return m_inner->subscribe(std::move(channels), match);
}

QCoro::Task<bool> TracedStore::waitUntilReady(std::stop_token stop)
{
    return m_inner->waitUntilReady(std::move(stop));
}

TraceEntry TracedStore::begin(TraceEntry::Way way, const Command &command) const
{
    TraceEntry entry;
    entry.when = m_clock->now();
    entry.took = m_clock->monotonic(); // the start, until the end is known
    entry.way = way;
    entry.args = shownArguments(command);
    return entry;
}

std::vector<TraceEntry> TracedStore::beginAll(TraceEntry::Way way, const std::vector<Command> &commands) const
{
    std::vector<TraceEntry> entries;
    entries.reserve(commands.size());
    for (const Command &command : commands)
        entries.push_back(begin(way, command));
    return entries;
}

QCoro::Task<Reply> TracedStore::follow(QPointer<TracedStore> self, TraceEntry entry, QCoro::Task<Reply> task)
{
    try {
        Reply reply = co_await std::move(task);
        if (self)
            self->record(std::move(entry), reply);
        co_return reply;
    } catch (const StoreError &e) {
        if (self)
            self->recordFailure(std::move(entry), e.kind());
        throw;
    }
}

QCoro::Task<std::vector<Reply>> TracedStore::followAll(QPointer<TracedStore> self, std::vector<TraceEntry> entries,
                                                       QCoro::Task<std::vector<Reply>> task)
{
    try {
        std::vector<Reply> replies = co_await std::move(task);
        for (size_t i = 0; self && i < entries.size() && i < replies.size(); ++i)
            self->record(std::move(entries[i]), replies[i]);
        co_return replies;
    } catch (const StoreError &e) {
        for (size_t i = 0; self && i < entries.size(); ++i)
            self->recordFailure(std::move(entries[i]), e.kind());
        throw;
    }
}

void TracedStore::record(TraceEntry entry, const Reply &reply)
{
    entry.reply = reply.type;
    if (reply.isError())
        entry.failure = errorFromReply(reply.string).kind;
    keep(std::move(entry));
}

void TracedStore::recordFailure(TraceEntry entry, ErrorKind kind)
{
    entry.failure = kind;
    keep(std::move(entry));
}

void TracedStore::keep(TraceEntry entry)
{
    entry.number = ++m_count;
    entry.took = m_clock->monotonic() - entry.took;
    m_entries.push_back(std::move(entry));
    while (qsizetype(m_entries.size()) > m_limit)
        m_entries.pop_front();
    Q_EMIT traced();
}

} // namespace ym
