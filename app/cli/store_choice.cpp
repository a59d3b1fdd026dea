#include "app/cli/store_choice.h"

#include "app/cli/words.h"

#include "core/base/text.h"

#include <cstring>

namespace ym::cli {

namespace {

constexpr auto storeVariable = "YARDMASTER_STORE";
constexpr auto passwordVariable = "YARDMASTER_PASSWORD";
constexpr auto targetPasswordVariable = "YARDMASTER_TO_PASSWORD";

/// Reads the URL, with the password of the environment where it has none; `variable` is taken out of it.
Result<StoreAddress> readAddress(const QByteArray &url, const char *variable)
{
    const QByteArray password = qgetenv(variable);
    qunsetenv(variable);
    if (!isUtf8(url))
        return failure(ErrorKind::Usage, tr("The store URL is not valid UTF-8."),
                       tr("Write it as embedded:FOLDER or redis://HOST."));
    Result<StoreAddress> address = parseStoreAddress(QString::fromUtf8(url));
    if (address && address->password.isEmpty())
        address->password = QString::fromUtf8(password);
    return address;
}

} // namespace

Result<StoreAddress> chooseStore(const QByteArray &option)
{
    const QByteArray url = !option.isEmpty() ? option : qgetenv(storeVariable);
    qunsetenv(storeVariable);
    return readAddress(url.isEmpty() ? QByteArray("embedded:") : url, passwordVariable);
}

Result<StoreAddress> chooseTarget(const QByteArray &option)
{
    return readAddress(option, targetPasswordVariable);
}

void hidePasswords(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        char *const scheme = std::strstr(argv[i], "://");
        char *const at = scheme ? std::strrchr(scheme, '@') : nullptr;
        char *const colon = at ? std::strchr(scheme + 3, ':') : nullptr;
        if (colon && colon < at)
            std::memset(colon + 1, '*', size_t(at - colon - 1));
    }
}

} // namespace ym::cli
