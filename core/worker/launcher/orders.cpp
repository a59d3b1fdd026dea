#include "core/worker/launcher/orders.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace ym::launch {

namespace {

/// The file that is being received.
class NewFile {
public:
    ~NewFile() { finish(); }
    bool begin(const std::string &folder, const std::string &name)
    {
        finish();
        m_path = folder + '/' + name;
        m_fd = open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        return m_fd >= 0 || complain();
    }
    bool append(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t n = write(m_fd, bytes.data(), bytes.size());
            if (n < 0 && errno != EINTR)
                return complain();
            bytes.remove_prefix(n > 0 ? std::size_t(n) : 0);
        }
        return true;
    }

private:
    bool complain() const
    {
        std::perror(m_path.c_str());
        return false;
    }
    void finish()
    {
        if (m_fd >= 0)
            close(m_fd);
        m_fd = -1;
    }

    std::string m_path;
    int m_fd = -1;
};

} // namespace

bool readSettings(FrameReader &orders, Settings &settings)
{
    ToLauncher kind{};
    std::string payload;
    NewFile file;
    for (;;) {
        if (!orders.next(kind, payload)) {
            if (!orders.fill(0))
                return false;
            continue;
        }
        bool ok = true;
        switch (kind) {
        case ToLauncher::Argument:
            settings.command.push_back(payload);
            break;
        case ToLauncher::Variable:
            settings.variables.push_back(payload);
            break;
        case ToLauncher::Folder:
            settings.folder = payload;
            break;
        case ToLauncher::File:
            ok = file.begin(settings.folder, payload);
            break;
        case ToLauncher::Data:
            ok = file.append(payload);
            break;
        case ToLauncher::Input:
            settings.input = payload;
            break;
        case ToLauncher::Niceness:
            settings.niceness = std::atoi(payload.c_str());
            break;
        case ToLauncher::Remove:
            settings.removal = payload;
            break;
        case ToLauncher::Limit:
            ok = setLimit(settings.limits, payload);
            break;
        case ToLauncher::Confine:
            settings.confine = payload;
            break;
        case ToLauncher::Network:
            settings.network = true;
            break;
        case ToLauncher::Readable:
            settings.readable.push_back(payload);
            break;
        case ToLauncher::Writable:
            settings.writable.push_back(payload);
            break;
        case ToLauncher::Warm:
            settings.isWarm = true;
            break;
        case ToLauncher::Script:
            settings.script = payload;
            break;
        case ToLauncher::Import:
            settings.imports = payload;
            break;
        case ToLauncher::Go:
            return true;
        case ToLauncher::Terminate:
        case ToLauncher::Kill:
            return false;
        }
        if (!ok)
            return false;
    }
}

} // namespace ym::launch
