// Requests of one event-loop turn that travel as one.
#pragma once

#include "core/base/completion.h"

#include <QMetaObject>
#include <QObject>

#include <functional>
#include <memory>
#include <vector>

#include <QCoroTask>

namespace ym {

/// Gathers what is asked for in a turn and sends it together: at the turn's end, when there is enough, or at flush().
/// Who asked first sends for all, so a batch lives as long as those who wait for it, and this must outlive them. One
/// thread, that of `turn`, which must outlive it, too.
template <typename Item, typename Answer> class TurnBatch {
public:
    struct Limits {
        size_t count; ///< items in a batch
        qsizetype bytes; ///< what the items of a batch may cost together; one alone may cost more
    };
    /// Answers each item, in their order, or throws for all of them.
    using Send = std::function<QCoro::Task<std::vector<Answer>>(std::vector<Item>)>;

    TurnBatch(QObject *turn, Limits limits, Send send)
        : m_turn(turn)
        , m_limits(limits)
        , m_send(std::move(send))
    {
    }

    QCoro::Task<Answer> add(Item item, qsizetype cost)
    {
        if (m_open && (m_open->items.size() >= m_limits.count || m_open->cost + cost > m_limits.bytes))
            flush();
        const bool isFirst = !m_open;
        if (isFirst)
            begin();
        const std::shared_ptr<Batch> batch = m_open;
        const Completion<Answer> answer;
        batch->items.push_back(std::move(item));
        batch->answers.push_back(answer);
        batch->cost += cost;
        if (isFirst) {
            co_await batch->isClosed;
            co_await deliver(batch);
        }
        co_return co_await answer;
    }

    /// Sends what was gathered now, before whatever its caller sends next.
    void flush()
    {
        if (const std::shared_ptr<Batch> batch = std::exchange(m_open, nullptr))
            batch->isClosed.resolve(true);
    }

private:
    struct Batch {
        std::vector<Item> items;
        std::vector<Completion<Answer>> answers;
        qsizetype cost = 0;
        Completion<bool> isClosed;
    };

    void begin()
    {
        m_open = std::make_shared<Batch>();
        const auto end = [this, weak = std::weak_ptr<Batch>(m_open)] {
            const std::shared_ptr<Batch> batch = weak.lock();
            if (batch && batch == m_open)
                flush();
        };
        QMetaObject::invokeMethod(m_turn, end, Qt::QueuedConnection);
    }

    QCoro::Task<void> deliver(std::shared_ptr<Batch> batch)
    {
        std::exception_ptr trouble;
        std::vector<Answer> answers;
        try {
            answers = co_await m_send(std::move(batch->items));
        } catch (...) {
            trouble = std::current_exception();
        }
        const std::vector<Completion<Answer>> waiting = std::move(batch->answers);
        for (size_t i = 0; i < waiting.size(); ++i) { // the first is ours and looks at its answer later
            if (trouble)
                waiting[i].reject(trouble);
            else
                waiting[i].resolve(std::move(answers[i]));
        }
    }

    QObject *m_turn;
    Limits m_limits;
    Send m_send;
    std::shared_ptr<Batch> m_open;
};

} // namespace ym
