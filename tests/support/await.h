// Runs a coroutine to its end from ordinary test code.
#pragma once

#include "core/base/error.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <optional>

#include <QCoroTask>

namespace ym::test {

/// Spins the event loop until the task ends; returns its value or rethrows its exception. Fails hard (std::abort with
/// a message) after `limitMs`, because the task would go on with dead locals.
template<typename T>
T await(QCoro::Task<T> task, int limitMs = 30000)
{
    QTimer limit;
    limit.setSingleShot(true);
    QObject::connect(&limit, &QTimer::timeout, &limit, [] { qFatal("a coroutine did not end in time"); });
    limit.start(limitMs);
    return QCoro::waitFor(std::move(task));
}

/// The kind of StoreError that the task throws, or nothing when it ends well.
template<typename T>
std::optional<ErrorKind> failureOf(QCoro::Task<T> task, int limitMs = 30000)
{
    try {
        await(std::move(task), limitMs);
        return std::nullopt;
    } catch (const StoreError &e) {
        return e.kind();
    }
}

} // namespace ym::test
