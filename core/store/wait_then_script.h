// Waiting and acting in one trip, for stores where a trip costs something.
#pragma once

#include "core/store/command.h"
#include "core/store/reply.h"
#include "core/store/script.h"

#include "core/base/clock.h"

#include <stop_token>

#include <QCoroTask>

namespace ym {

/// What a Store may be besides. Same thread as the store.
class WaitThenScript {
public:
    virtual ~WaitThenScript() = default;

    struct Call {
        const Script *script = nullptr;
        QList<QByteArray> keys;
        QList<QByteArray> args;
    };
    /// Waits as Store::blocking() does, and the server runs the script at once when the wait is over: by a reply,
    /// because the time passed, or because `stop` was requested. Whatever the script did comes back, also after a stop;
    /// Cancelled is thrown only when nothing had been sent. Permission: this user may not end waits, so use
    /// Store::blocking().
    virtual QCoro::Task<Reply> waitThenScript(Command wait, Milliseconds most, Call then, std::stop_token stop) = 0;
};

} // namespace ym
