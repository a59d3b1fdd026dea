// Jobs whose scripts go into an editor.
#pragma once

#include "core/job/job.h"

#include <functional>

class QObject;

namespace ym {

class Workspace;

/// Reads a job of the present connection and gives it on with its whole script, unless another connection is chosen
/// meanwhile. A failure, or a script that is too large to come whole, is told in the window. Nothing happens without a
/// connection or an id, or after `context` is gone. GUI thread.
void readForEditor(Workspace *workspace, const QByteArray &id, QObject *context, std::function<void(const Job &)> use);

} // namespace ym
