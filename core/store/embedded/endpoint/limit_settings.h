// An endpoint's limits under the names that CONFIG knows.
#pragma once

#include "core/store/embedded/endpoint/endpoint_limits.h"

#include <QList>

#include <utility>

namespace ym::embedded {

using SettingRows = QList<std::pair<QByteArray, QByteArray>>;

/// All of them, as Redis would write them.
SettingRows limitSettings(const EndpointLimits &limits);

/// Changes one (the name in lower case). The error behind "CONFIG SET failed … - "; empty = done.
QByteArray changeLimit(EndpointLimits &limits, const QByteArray &name, const QByteArray &value);

} // namespace ym::embedded
