// Log categories: one per layer, one line per event, no script text and no secret.
#pragma once

#include <QLoggingCategory>

namespace ym {

Q_DECLARE_LOGGING_CATEGORY(logBase)
Q_DECLARE_LOGGING_CATEGORY(logStore)
Q_DECLARE_LOGGING_CATEGORY(logProtocol)
Q_DECLARE_LOGGING_CATEGORY(logWorker)
Q_DECLARE_LOGGING_CATEGORY(logEngine)
Q_DECLARE_LOGGING_CATEGORY(logUi)

} // namespace ym
