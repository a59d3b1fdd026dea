#include "core/worker/launcher/watch.h"

#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace ym::launch {

namespace {

/// Pages that a process does not share with files or others; 0 when it is gone.
std::uint64_t ownBytes(pid_t pid)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/statm", pid);
    std::FILE *file = std::fopen(path, "re");
    if (!file)
        return 0;
    unsigned long size = 0, resident = 0, shared = 0;
    const int found = std::fscanf(file, "%lu %lu %lu", &size, &resident, &shared);
    std::fclose(file);
    static const auto pageBytes = std::uint64_t(sysconf(_SC_PAGESIZE));
    return found == 3 && resident > shared ? (resident - shared) * pageBytes : 0;
}

std::uint64_t threadsOf(pid_t pid)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/task", pid);
    struct stat about { };
    return stat(path, &about) == 0 && about.st_nlink > 2 ? about.st_nlink - 2 : 1;
}

struct Usage {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
};

/// Of a folder among others: counts until it is over a limit. Goes no deeper than descriptors allow.
void addTree(int parent, const char *name, const Limits &limits, int depth, Usage &usage)
{
    constexpr int deepest = 64;
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : nullptr;
    if (!entries)
        return;
    while (const dirent *entry = readdir(entries)) {
        const std::string_view word = entry->d_name;
        struct stat about { };
        if (word == "." || word == ".." || fstatat(fd, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        usage.bytes += std::uint64_t(about.st_blocks) * 512;
        ++usage.files;
        if ((limits.folderBytes && usage.bytes > limits.folderBytes)
            || (limits.folderFiles && usage.files > limits.folderFiles))
            break;
        if (S_ISDIR(about.st_mode) && depth < deepest)
            addTree(fd, entry->d_name, limits, depth + 1, usage);
    }
    closedir(entries);
}

Usage usageOf(const std::string &folder, const Limits &limits, bool ownFileSystem)
{
    Usage usage;
    if (!ownFileSystem) {
        addTree(AT_FDCWD, folder.c_str(), limits, 0, usage);
        return usage;
    }
    struct statvfs system { };
    if (statvfs(folder.c_str(), &system) == 0) {
        usage.bytes = std::uint64_t(system.f_blocks - system.f_bfree) * system.f_frsize;
        usage.files = system.f_files - system.f_ffree;
    }
    return usage;
}

} // namespace

std::string_view passedLimit(const Limits &limits, const std::vector<pid_t> &family, const std::string &folder,
                             bool ownFileSystem)
{
    std::uint64_t bytes = 0, tasks = 0;
    for (const pid_t pid : family) {
        bytes += ownBytes(pid);
        tasks += threadsOf(pid);
    }
    if (limits.memoryBytes && bytes > limits.memoryBytes)
        return "memory";
    if (limits.processes && tasks > limits.processes)
        return "processes";
    if (folder.empty() || (!limits.folderBytes && !limits.folderFiles))
        return {};
    const Usage usage = usageOf(folder, limits, ownFileSystem);
    if (limits.folderBytes && usage.bytes > limits.folderBytes)
        return "disk";
    return limits.folderFiles && usage.files > limits.folderFiles ? "files" : std::string_view();
}

} // namespace ym::launch
