// A store through which nothing can be changed, whoever asks.
#pragma once

#include "core/store/store.h"

#include <memory>

namespace ym {

/// True for a command that only looks. What is not known to only look is refused, also when it would do no harm: lists of
/// forbidden commands forget some.
bool isReadingCommand(const Command &command);
/// True for a script that says so in its first line; the server then refuses every write in it.
bool isReadingScript(const Script &script);

/// The error that stands for it everywhere in the window.
Error readOnlyError();

/// Decorates a store, which it owns: commands that only look pass, all others throw ReadOnly and are never sent
/// (RELIABILITY 8, Destructive). Lives in the thread of that store.
class ReadOnlyStore final : public Store {
    Q_OBJECT
public:
    /// `refusal` is what is thrown; it says how to change something all the same.
    explicit ReadOnlyStore(std::unique_ptr<Store> inner, Error refusal = readOnlyError(), QObject *parent = nullptr);
    ~ReadOnlyStore() override;

    QCoro::Task<void> open() override { return m_inner->open(); }
    void close() override { m_inner->close(); }
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

private:
    void requireReading(const Command &command) const;
    void requireReading(const std::vector<Command> &commands) const;

    std::unique_ptr<Store> m_inner;
    Error m_refusal;
};

} // namespace ym
