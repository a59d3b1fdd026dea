// Brings the end of a future to an object that may be gone by then.
#pragma once

#include "core/base/log.h"

#include <QException>
#include <QFutureWatcher>
#include <QThread>

namespace ym {

namespace detail {

/// QtConcurrent wraps what is no exception of Qt's.
inline QByteArray textOf(const std::exception_ptr &thrown)
{
    try {
        if (thrown)
            std::rethrow_exception(thrown);
    } catch (const QUnhandledException &wrapping) {
        return textOf(wrapping.exception());
    } catch (const std::exception &e) {
        return e.what();
    } catch (...) {
    }
    return QByteArrayLiteral("unknown exception");
}

/// Whether a future that is over ended with an exception; logs it.
template <typename T> bool isBroken(QFuture<T> over)
{
    try {
        over.waitForFinished(); // nothing to wait for: throws what the future threw
        return false;
    } catch (...) {
        qCWarning(logBase, "background work failed: %s", textOf(std::current_exception()).constData());
        return true;
    }
}

} // namespace detail

/// Calls `callback(result)`, or `callback()` for QFuture<void>, in the thread of `context` when the future is over:
/// always from the event loop, so never before this returns, and in the order in which futures end. It does not come
/// when `context` is gone by then, when the future was cancelled or has no result, and when it ended with an exception,
/// which is logged. What the callback holds is let go with the context at the latest. It may delete the context and, as
/// any slot, must not throw. A future may be given to any number of callbacks.
///
/// Call it in the thread of `context`; the future may end in any. It stands in place of QFuture::then(context, …), which
/// in Qt 6.4 looks at the context from the thread that ends the future (a race when the context dies meanwhile, a crash
/// when it died before) and forgets the callback that the future had.
template <typename T, typename Callback> void whenReady(const QFuture<T> &future, QObject *context, Callback callback)
{
    Q_ASSERT(context && context->thread() == QThread::currentThread());
    auto *const watcher = new QFutureWatcher<T>(context);
    auto deliver = [watcher, call = std::move(callback)]() mutable {
        const QFuture<T> over = watcher->future();
        watcher->deleteLater(); // now, because the callback may delete the context and with it the watcher
        if (detail::isBroken(over) || over.isCanceled())
            return;
        if constexpr (std::is_void_v<T>)
            call();
        else if (over.resultCount() > 0)
            call(over.result());
    };
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, std::move(deliver));
    watcher->setFuture(future);
}

} // namespace ym
