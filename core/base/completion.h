// A one-shot value that one coroutine waits for and ordinary code delivers.
#pragma once

#include <QtGlobal>

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <variant>

namespace ym {

/// Shared by the one who waits (`co_await completion`) and the one who delivers (`resolve`, `reject`).
/// One thread, one waiter, one delivery: later deliveries are ignored. Resuming happens inside `resolve`,
/// so the deliverer must not touch state that the waiter may destroy after the call.
template<typename T>
class Completion {
public:
    Completion()
        : m_state(std::make_shared<State>())
    {
    }

    bool isDone() const { return m_state->value.index() != 0; }

    void resolve(T value) const { deliver([&](State &s) { s.value.template emplace<1>(std::move(value)); }); }
    void reject(std::exception_ptr error) const { deliver([&](State &s) { s.value.template emplace<2>(std::move(error)); }); }

    bool await_ready() const noexcept { return isDone(); }
    void await_suspend(std::coroutine_handle<> waiter) const noexcept { m_state->waiter = waiter; }
    T await_resume() const
    {
        if (m_state->value.index() == 2)
            std::rethrow_exception(std::get<2>(m_state->value));
        return std::move(std::get<1>(m_state->value));
    }

private:
    struct State {
        std::variant<std::monostate, T, std::exception_ptr> value;
        std::coroutine_handle<> waiter;
    };

    template<typename Store>
    void deliver(Store store) const
    {
        if (isDone())
            return;
        const std::shared_ptr<State> keep = m_state;
        store(*keep);
        if (const auto waiter = std::exchange(keep->waiter, {}))
            waiter.resume();
    }

    std::shared_ptr<State> m_state;
};

} // namespace ym
