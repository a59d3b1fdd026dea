// Which values are secret by their names, and texts without them (RELIABILITY 8, env_vars).
#pragma once

#include <QByteArray>

namespace ym {

/// True when a variable or a field of this name holds a secret: key, secret, token, pass, pwd, credential or auth are
/// in it, in any case; a working folder (PWD) and an author are none.
bool namesSecret(const QByteArray &name);

/// What stands where a secret stood.
inline constexpr const char *hiddenSecret = "********";

/// The text with the values of members with such names replaced, in JSON objects at any depth; any other text as it is.
/// For people, not for parsers: also of what is cut, or no good JSON, no secret is left.
QByteArray withoutSecrets(const QByteArray &text);

} // namespace ym
