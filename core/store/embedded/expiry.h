// Expiry options that several commands share.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

enum class ExpiryUnit : quint8 { Seconds, Milliseconds };
enum class ExpiryBase : quint8 { Now, Epoch };

struct ExpiryForm {
    ExpiryUnit unit;
    ExpiryBase base;
};

/// Milliseconds since 1970 for `value` in this form. Throws "invalid expire time in '…' command" when it cannot be
/// counted in 64 bits.
qint64 expiryTime(const Call &call, qint64 value, ExpiryForm form, const char *command);

/// The form that EX, PX, EXAT and PXAT (in any case) name.
std::optional<ExpiryForm> expiryOption(const QByteArray &option);

} // namespace ym::embedded
