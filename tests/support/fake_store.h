// A Store that has no commands, only a state; for what waits until a store is ready.
#pragma once

#include "core/base/completion.h"
#include "core/store/store.h"

namespace ym::test {

class FakeStore final : public Store {
public:
    using Store::Store;

    void setReady(bool ready)
    {
        m_ready = ready;
        Q_EMIT statusChanged();
        if (!ready)
            return;
        for (const auto &waiter : std::exchange(m_waiters, {}))
            waiter.resolve(true);
    }

    QCoro::Task<void> open() override { co_return; }
    void close() override { }
    StoreStatus status() const override
    {
        StoreStatus status;
        status.phase = m_ready ? StoreStatus::Phase::Ready : StoreStatus::Phase::Waiting;
        return status;
    }
    StoreCost cost() const override { return {}; }
    QString displayName() const override { return QStringLiteral("fake"); }
    QCoro::Task<Reply> command(Command) override { return nothing<Reply>(); }
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command>) override { return nothing<std::vector<Reply>>(); }
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command>) override { return nothing<std::vector<Reply>>(); }
    QCoro::Task<Reply> script(const Script *, QList<QByteArray>, QList<QByteArray>) override
    {
        return nothing<Reply>();
    }
    QCoro::Task<Reply> blocking(Command, Milliseconds, std::stop_token) override { return nothing<Reply>(); }
    std::unique_ptr<Subscription> subscribe(QList<QByteArray>, Match) override
    {
        return std::make_unique<Subscription>();
    }
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override
    {
        if (m_ready || stop.stop_requested())
            co_return bool(m_ready);
        const Completion<bool> ready;
        m_waiters.push_back(ready);
        const std::stop_callback onStop(stop, [ready] { ready.resolve(false); });
        co_return co_await ready;
    }

private:
    template <typename T> QCoro::Task<T> nothing()
    {
        throw StoreError(ErrorKind::Unavailable, QStringLiteral("a fake store has no commands"));
        co_return T{};
    }

    bool m_ready = true;
    std::vector<Completion<bool>> m_waiters;
};

} // namespace ym::test
