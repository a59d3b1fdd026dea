// Which store the command line works on.
#pragma once

#include "core/store/store_address.h"

#include <QByteArray>

namespace ym::cli {

/// From --store, else from YARDMASTER_STORE, else the default workspace. A password that the URL lacks comes from
/// YARDMASTER_PASSWORD, which is taken out of the environment so that no child sees it; an embedded store needs it only
/// to be served. Errors never repeat the URL's
/// password.
Result<StoreAddress> chooseStore(const QByteArray &option);

/// Where `export` copies to. A password that the URL lacks comes from YARDMASTER_TO_PASSWORD.
Result<StoreAddress> chooseTarget(const QByteArray &option);

/// Overwrites the passwords of store URLs in the argument vector, which every user of the machine can list.
void hidePasswords(int argc, char **argv);

} // namespace ym::cli
