// What clients are called, and how CLIENT LIST describes them.
#pragma once

#include "core/store/embedded/client_context.h"

namespace ym::embedded {

/// Throws CommandError for a name with blanks or special characters; an empty one takes the name away.
void setClientName(ClientContext &client, const QByteArray &name);

/// The line of CLIENT LIST, without a line end.
QByteArray describeClient(const ClientContext &client);

/// The address that CLIENT LIST and MONITOR show; empty for the store's own clients.
QByteArray clientAddress(const ClientContext &client);

} // namespace ym::embedded
