// A store that remembers what was last said over it, for the trace page and for tests of the wire.
#pragma once

#include "core/store/store.h"

#include <QPointer>

#include <deque>
#include <optional>

namespace ym {

/// One command that went to the store, with secrets hidden and long arguments cut.
struct TraceEntry {
    enum class Way : quint8 { Command, Pipeline, Transaction, Script, Blocking };
    quint64 number = 0; ///< rises by one for each entry
    Timestamp when;
    Milliseconds took{0}; ///< of the whole pipeline or transaction, for each of its commands
    Way way = Way::Command;
    QList<QByteArray> args; ///< for a script: EVALSHA, its name, the number of keys, keys and arguments
    Reply::Type reply = Reply::Type::Nil;
    std::optional<ErrorKind> failure; ///< an error reply, or no reply at all
};

/// The arguments as they may be shown: passwords, environments of jobs and script texts hidden, the rest cut to 128
/// bytes.
QList<QByteArray> shownArguments(const Command &command);

/// Decorates a store, which it owns, and keeps the last `limit` entries. Lives in the thread of that store.
class TracedStore final : public Store {
    Q_OBJECT
public:
    TracedStore(std::unique_ptr<Store> inner, Clock *clock, qsizetype limit = 500, QObject *parent = nullptr);
    ~TracedStore() override;

    Store *inner() const { return m_inner.get(); }
    /// Oldest first.
    const std::deque<TraceEntry> &entries() const { return m_entries; }
    void clear() { m_entries.clear(); }

    QCoro::Task<void> open() override;
    void close() override;
    StoreStatus status() const override { return m_inner->status(); }
    StoreCost cost() const override { return m_inner->cost(); }
    QString displayName() const override { return m_inner->displayName(); }
    QCoro::Task<Reply> command(Command command) override;
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) override;
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) override;
    QCoro::Task<Reply> script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args) override;
    QCoro::Task<Reply> blocking(Command command, Milliseconds wait, std::stop_token stop) override;
    std::unique_ptr<Subscription> subscribe(QList<QByteArray> channels, Match match) override;
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override;

Q_SIGNALS:
    /// An entry was added.
    void traced();

private:
    TraceEntry begin(TraceEntry::Way way, const Command &command) const;
    void record(TraceEntry entry, const Reply &reply);
    void recordFailure(TraceEntry entry, ErrorKind kind);
    void keep(TraceEntry entry);
    static QCoro::Task<Reply> follow(QPointer<TracedStore> self, TraceEntry entry, QCoro::Task<Reply> task);
    static QCoro::Task<std::vector<Reply>> followAll(QPointer<TracedStore> self, std::vector<TraceEntry> entries,
                                                     QCoro::Task<std::vector<Reply>> task);
    std::vector<TraceEntry> beginAll(TraceEntry::Way way, const std::vector<Command> &commands) const;

    std::unique_ptr<Store> m_inner;
    Clock *m_clock;
    qsizetype m_limit;
    quint64 m_count = 0;
    std::deque<TraceEntry> m_entries;
};

} // namespace ym
