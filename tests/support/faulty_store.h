// A store that fails when a test wants it to.
#pragma once

#include "core/base/completion.h"
#include "core/store/store.h"

#include <list>

namespace ym::test {

/// Passes everything on to another store, but for the calls a test has marked. A call is one command(), pipeline(),
/// transaction(), script() or blocking().
class FaultyStore final : public Store {
    Q_OBJECT
public:
    enum class Fault : quint8 {
        NotSent, ///< Unavailable; the inner store never sees it
        ReplyLost, ///< executed, then Unavailable with `ambiguous`
        ErrorReply, ///< not executed; the error that the given text means, as errorFromReply() reads it
        Stuck, ///< nothing happens until release() or close(); then as if nothing had been wrong, or Cancelled
    };
    struct Plan {
        Fault fault = Fault::NotSent;
        int nth = 1; ///< 1 = the next matching call
        int times = 1; ///< how many in a row; -1 = for ever
        QByteArray only; ///< a verb ("HSET") or a script's name ("hero/claim"); empty = every call
        QByteArray errorText; ///< for ErrorReply
    };

    explicit FaultyStore(Store *inner, QObject *parent = nullptr);

    void fail(Plan plan) { m_plans.push_back(std::move(plan)); }
    void heal() { m_plans.clear(); }
    /// Lets the stuck calls go on.
    void release();
    int stuckCount() const;
    /// Calls that carried this verb or script name.
    int callCount(const QByteArray &name) const { return m_calls.value(name); }

    QCoro::Task<void> open() override { return m_inner->open(); }
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
    /// A call is stuck now.
    void stuck();

private:
    std::optional<Plan> faultFor(const std::vector<Command> &commands);
    std::optional<Plan> faultForName(const QByteArray &name);
    QCoro::Task<bool> before(std::optional<Plan> plan);
    static void after(const std::optional<Plan> &plan);

    Store *m_inner;
    std::list<Plan> m_plans;
    QHash<QByteArray, int> m_calls;
    std::vector<Completion<bool>> m_stuck;
};

} // namespace ym::test
