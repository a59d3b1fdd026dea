// Carries the end of a core coroutine to a QFuture of the GUI thread.
#pragma once

#include "core/base/error.h"

#include <QCoreApplication>
#include <QFuture>
#include <QPromise>

#include <memory>

#include <QCoroTask>

namespace ym {

/// A promise that always keeps its word: when the last owner lets go without an answer (the connection is gone), the
/// future ends with Cancelled. Copies of the shared pointer may cross threads.
template<typename T>
class Answer {
public:
    Answer() { m_promise.start(); }
    ~Answer()
    {
        if (!m_given)
            give(failure(ErrorKind::Cancelled, QCoreApplication::translate("ym::Answer", "The connection was closed.")));
    }
    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;

    QFuture<Result<T>> future() { return m_promise.future(); }

    void give(Result<T> result)
    {
        m_given = true;
        m_promise.addResult(std::move(result));
        m_promise.finish();
    }

private:
    QPromise<Result<T>> m_promise;
    bool m_given = false;
};

/// Awaits the task and gives its value, or the StoreError it throws, as the answer.
template<typename T>
QCoro::Task<void> answerWith(std::shared_ptr<Answer<T>> answer, QCoro::Task<T> task)
{
    try {
        answer->give(co_await task);
    } catch (const StoreError &e) {
        answer->give(tl::unexpected<Error>(e.error()));
    }
}

/// A future that is over already.
template<typename T>
QFuture<Result<T>> answered(Result<T> result)
{
    Answer<T> answer;
    const QFuture<Result<T>> future = answer.future();
    answer.give(std::move(result));
    return future;
}

} // namespace ym
