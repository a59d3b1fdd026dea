// An awaited result that cannot throw.
#pragma once

#include "core/base/error.h"

#include <QCoroTask>

namespace ym::cli {

/// Turns the StoreError of a task into the unexpected side, because a catch block cannot wait for the clean-up.
template <typename T> QCoro::Task<Result<T>> attempt(QCoro::Task<T> task)
{
    try {
        if constexpr (std::is_void_v<T>) {
            co_await task;
            co_return Result<T>{};
        } else {
            co_return co_await task;
        }
    } catch (const StoreError &e) {
        co_return tl::unexpected<Error>(e.error());
    }
}

} // namespace ym::cli
