#include "core/worker/launcher/limits.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ym::launch {

namespace {

constexpr std::uint64_t cpuGraceSeconds = 5;

struct Named {
    std::string_view name;
    std::uint64_t Limits::*value;
};

constexpr Named names[] = {{"cpu", &Limits::cpuSeconds},       {"address", &Limits::addressBytes},
                           {"memory", &Limits::memoryBytes},   {"file", &Limits::fileBytes},
                           {"processes", &Limits::processes},  {"open", &Limits::openFiles},
                           {"disk", &Limits::folderBytes},     {"files", &Limits::folderFiles}};

/// Never above what this process may have itself.
bool set(int resource, std::uint64_t soft, std::uint64_t hard)
{
    rlimit present{};
    if (getrlimit(__rlimit_resource(resource), &present) != 0)
        return false;
    const rlimit wanted{soft < present.rlim_max ? soft : present.rlim_max,
                        hard < present.rlim_max ? hard : present.rlim_max};
    return setrlimit(__rlimit_resource(resource), &wanted) == 0;
}

/// The number behind "Threads:" of a process.
std::uint64_t threadsOf(const char *pid)
{
    const std::string path = std::string("/proc/") + pid + "/status";
    std::FILE *file = std::fopen(path.c_str(), "re");
    if (!file)
        return 0;
    char line[256];
    unsigned long threads = 0;
    while (std::fgets(line, sizeof line, file)) {
        if (std::sscanf(line, "Threads: %lu", &threads) == 1)
            break;
    }
    std::fclose(file);
    return threads;
}

} // namespace

bool setLimit(Limits &limits, std::string_view text)
{
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos)
        return false;
    for (const Named &named : names) {
        if (named.name == text.substr(0, space)) {
            limits.*named.value = std::strtoull(std::string(text.substr(space + 1)).c_str(), nullptr, 10);
            return true;
        }
    }
    return false;
}

bool applyLimits(const Limits &limits, std::uint64_t shared)
{
    const rlimit noCore{0, 0};
    bool ok = setrlimit(RLIMIT_CORE, &noCore) == 0;
    if (limits.cpuSeconds > 0)
        ok = ok && set(RLIMIT_CPU, limits.cpuSeconds, limits.cpuSeconds + cpuGraceSeconds);
    if (limits.addressBytes > 0)
        ok = ok && set(RLIMIT_AS, limits.addressBytes, limits.addressBytes);
    if (limits.fileBytes > 0)
        ok = ok && set(RLIMIT_FSIZE, limits.fileBytes, limits.fileBytes);
    if (limits.openFiles > 0)
        ok = ok && set(RLIMIT_NOFILE, limits.openFiles, limits.openFiles);
    if (limits.processes > 0)
        ok = ok && set(RLIMIT_NPROC, limits.processes + shared, limits.processes + shared);
    return ok;
}

std::uint64_t tasksOfThisUser()
{
    DIR *proc = opendir("/proc");
    if (!proc)
        return 0;
    std::uint64_t count = 0;
    while (const dirent *entry = readdir(proc)) {
        struct stat about { };
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        if (fstatat(dirfd(proc), entry->d_name, &about, 0) == 0 && about.st_uid == getuid())
            count += threadsOf(entry->d_name);
    }
    closedir(proc);
    return count;
}

} // namespace ym::launch
