// Runs a coroutine to its end from ordinary test code.
#pragma once

#include "core/base/error.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <exception>
#include <optional>

#include <QCoroTask>

namespace ym::test {

/// How a task ended. QCoro::waitFor would wait for ever for a task that throws.
template <typename T> struct Outcome {
    std::optional<T> value;
    std::exception_ptr error;
    bool isSettled = false;
};
template <> struct Outcome<void> {
    std::exception_ptr error;
    bool isSettled = false;
};

template <typename T> QCoro::Task<void> settle(QCoro::Task<T> task, Outcome<T> *outcome, QEventLoop *loop)
{
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(task);
        } else {
            T value = co_await std::move(task);
            outcome->value.emplace(std::move(value));
        }
    } catch (...) {
        outcome->error = std::current_exception();
    }
    outcome->isSettled = true;
    loop->quit();
}

/// Spins the event loop until the task ends; returns its value or rethrows its exception. Fails hard (std::abort with
/// a message) after `limitMs`, because the task would go on with dead locals.
template <typename T> T await(QCoro::Task<T> task, int limitMs = 30000)
{
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, &limit, [] { qFatal("a coroutine did not end in time"); });
    limit.start(limitMs);
    QEventLoop loop;
    Outcome<T> outcome;
    const auto running = settle(std::move(task), &outcome, &loop);
    if (!outcome.isSettled)
        loop.exec();
    if (outcome.error)
        std::rethrow_exception(outcome.error);
    if constexpr (!std::is_void_v<T>)
        return std::move(*outcome.value);
}

/// The kind of StoreError that the task throws, or nothing when it ends well.
template <typename T> std::optional<ErrorKind> failureOf(QCoro::Task<T> task, int limitMs = 30000)
{
    try {
        await(std::move(task), limitMs);
        return std::nullopt;
    } catch (const StoreError &e) {
        return e.kind();
    }
}

} // namespace ym::test
