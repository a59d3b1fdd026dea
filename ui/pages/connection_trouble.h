// What pages show while there is no connection or nothing can be read, and what their buttons do then.
#pragma once

#include "core/base/error.h"
#include "ui/widgets/empty_state.h"

namespace ym {

class Workspace;

/// The reason in words, with "Retry now" and "Edit connection" where they help.
EmptyState::Content troubleContent(const Workspace *workspace);

/// What a page shows whose rows the store does not tell: that it cannot read them, why, and "Try again".
EmptyState::Content unreadContent(const Workspace *workspace, const QString &title, const Error &why);

/// What "Retry now" and "Try again" do.
void retryTrouble(Workspace *workspace);

} // namespace ym
