// What pages show while there is no connection, and what their buttons do then.
#pragma once

#include "ui/widgets/empty_state.h"

namespace ym {

class Workspace;

/// The reason in words, with "Retry now" and "Edit connection" where they help.
EmptyState::Content troubleContent(const Workspace *workspace);

/// What "Retry now" does.
void retryTrouble(Workspace *workspace);

} // namespace ym
