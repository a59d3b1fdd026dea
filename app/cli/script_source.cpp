#include "app/cli/script_source.h"

#include "app/cli/words.h"

#include "core/base/text.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ym::cli {

namespace {

/// An open descriptor, closed at the end of its scope unless it is standard input.
struct Descriptor {
    int number = -1;
    ~Descriptor()
    {
        if (number > STDIN_FILENO)
            ::close(number);
    }
};

tl::unexpected<Error> cannotRead(const QByteArray &file, int reason)
{
    const ErrorKind kind = reason == ENOENT ? ErrorKind::NotFound : ErrorKind::Io;
    return failure(kind,
                   tr("%1 cannot be read: %2.").arg(shownText(file), QString::fromLocal8Bit(std::strerror(reason))));
}

} // namespace

Result<QByteArray> readScript(const QByteArray &file)
{
    const bool isStandardInput = file == "-";
    const Descriptor input{isStandardInput ? STDIN_FILENO : ::open(file.constData(), O_RDONLY | O_CLOEXEC | O_NOCTTY)};
    if (input.number < 0)
        return cannotRead(file, errno);
    struct stat about { };
    if (::fstat(input.number, &about) == 0 && S_ISDIR(about.st_mode))
        return failure(ErrorKind::Usage, tr("%1 is a folder.").arg(shownText(file)), tr("Name a script file."));
    QByteArray script;
    char block[64 * 1024];
    while (true) {
        const ssize_t got = ::read(input.number, block, sizeof block);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannotRead(isStandardInput ? QByteArray("standard input") : file, errno);
        script.append(block, got);
        if (script.size() > maxScriptBytes)
            return failure(ErrorKind::TooLarge,
                           tr("The script is larger than %1 MB.").arg(maxScriptBytes / 1024 / 1024),
                           tr("Let it read its data from a file."));
    }
    return script;
}

} // namespace ym::cli
