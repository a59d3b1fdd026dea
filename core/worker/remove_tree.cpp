#include "core/worker/remove_tree.h"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ym {

namespace {

constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

int openFolder(int parent, const char *name)
{
    const int fd = openat(parent, name, folderFlags);
    if (fd >= 0 || errno != EACCES)
        return fd;
    fchmodat(parent, name, 0700, 0);
    return openat(parent, name, folderFlags);
}

/// Deletes what is not a folder; returns the name of one folder inside, or nothing. `error` gets the first failure.
std::string removeFiles(int fd, int &error)
{
    std::string folder;
    fchmod(fd, 0700);
    DIR *entries = fdopendir(openat(fd, ".", folderFlags));
    if (!entries) {
        error = errno;
        return folder;
    }
    while (const dirent *entry = readdir(entries)) {
        if (!std::strcmp(entry->d_name, ".") || !std::strcmp(entry->d_name, ".."))
            continue;
        if (unlinkat(fd, entry->d_name, 0) == 0)
            continue;
        if (errno != EISDIR && errno != EPERM)
            error = errno;
        else
            folder = entry->d_name;
    }
    closedir(entries);
    return folder;
}

dev_t deviceOf(int fd)
{
    struct stat about { };
    return fstat(fd, &about) == 0 ? about.st_dev : 0;
}

/// Empties the folder `fd`, which it closes. Never enters another file system: what is mounted there is not its own. Goes down and up again along `..` instead of keeping a descriptor a level.
int emptyTree(int fd)
{
    const dev_t device = deviceOf(fd);
    std::vector<std::string> names;
    for (;;) {
        int error = 0;
        const std::string inner = removeFiles(fd, error);
        if (error == 0 && inner.empty() && names.empty()) {
            close(fd);
            return 0;
        }
        const int next = inner.empty() ? openat(fd, "..", folderFlags) : openFolder(fd, inner.c_str());
        if (error == 0 && next < 0)
            error = errno;
        if (error == 0 && deviceOf(next) != device)
            error = EXDEV;
        close(fd);
        if (error == 0 && inner.empty()) {
            if (unlinkat(next, names.back().c_str(), AT_REMOVEDIR) != 0)
                error = errno;
            names.pop_back();
        } else if (error == 0) {
            names.push_back(inner);
        }
        if (error != 0) {
            if (next >= 0)
                close(next);
            return error;
        }
        fd = next;
    }
}

} // namespace

int emptyFolder(const char *path)
{
    const int fd = openFolder(AT_FDCWD, path);
    if (fd < 0)
        return errno == ENOENT ? 0 : errno;
    return emptyTree(fd);
}

int removeTree(const char *path)
{
    const int error = emptyFolder(path);
    if (error != 0)
        return error;
    return rmdir(path) == 0 || errno == ENOENT ? 0 : errno;
}

} // namespace ym
