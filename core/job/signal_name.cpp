#include "core/job/signal_name.h"

#include <cstring>

namespace ym {

QString signalText(int number)
{
    const char *const name = sigabbrev_np(number);
    return name ? QStringLiteral("SIG%1 (%2)").arg(QLatin1String(name)).arg(number)
                : QStringLiteral("signal %1").arg(number);
}

} // namespace ym
