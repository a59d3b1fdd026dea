#include "core/base/log.h"

namespace ym {

Q_LOGGING_CATEGORY(logBase, "yardmaster.base", QtInfoMsg)
Q_LOGGING_CATEGORY(logStore, "yardmaster.store", QtInfoMsg)
Q_LOGGING_CATEGORY(logProtocol, "yardmaster.protocol", QtInfoMsg)
Q_LOGGING_CATEGORY(logWorker, "yardmaster.worker", QtInfoMsg)
Q_LOGGING_CATEGORY(logEngine, "yardmaster.engine", QtInfoMsg)
Q_LOGGING_CATEGORY(logUi, "yardmaster.ui", QtInfoMsg)

} // namespace ym
