#include "core/worker/launcher/descendants.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <set>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace ym::launch {

namespace {

/// Parent of a process; 0 when it is gone or only waits to be reaped.
pid_t livingParent(int pid)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    char text[512];
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    // The name is in brackets and may hold anything: the state stands behind the last one.
    const char *behindName = std::strrchr(text, ')');
    char state = 'Z';
    int parent = 0;
    if (!behindName || std::sscanf(behindName + 1, " %c %d", &state, &parent) != 2 || state == 'Z' || state == 'X')
        return 0;
    return parent;
}

std::unordered_map<pid_t, pid_t> parentsOfAll()
{
    std::unordered_map<pid_t, pid_t> parents;
    DIR *proc = opendir("/proc");
    if (!proc)
        return parents;
    while (const dirent *entry = readdir(proc)) {
        const int pid = std::atoi(entry->d_name);
        const pid_t parent = pid > 0 ? livingParent(pid) : 0;
        if (parent > 0)
            parents.emplace(pid, parent);
    }
    closedir(proc);
    return parents;
}

std::set<pid_t> livingDescendants()
{
    const auto parents = parentsOfAll();
    std::set<pid_t> family;
    const pid_t self = getpid();
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto &[pid, parent] : parents) {
            if (parent == self || family.count(parent))
                grown |= family.insert(pid).second;
        }
    }
    return family;
}

} // namespace

std::vector<pid_t> ownChildren()
{
    // The kernel's own list, where it is built in: the others need a look at every process of the machine.
    static const int fd =
        open(("/proc/self/task/" + std::to_string(getpid()) + "/children").c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return livingFamily();
    std::string text;
    char chunk[4096];
    for (ssize_t n = 0; (n = pread(fd, chunk, sizeof chunk, off_t(text.size()))) > 0;)
        text.append(chunk, std::size_t(n));
    std::vector<pid_t> children;
    char *end = nullptr;
    for (const char *at = text.c_str(); const long pid = std::strtol(at, &end, 10); at = end)
        children.push_back(pid_t(pid));
    return children;
}

std::vector<pid_t> livingFamily()
{
    const std::set<pid_t> family = livingDescendants();
    return {family.begin(), family.end()};
}

std::size_t killDescendants()
{
    if (getpid() == 1) {
        const std::size_t alive = livingDescendants().size();
        kill(-1, SIGKILL);
        return alive;
    }
    constexpr int freezePasses = 100;
    std::set<pid_t> frozen;
    for (int pass = 0; pass < freezePasses; ++pass) {
        const std::size_t before = frozen.size();
        for (const pid_t pid : livingDescendants()) {
            if (frozen.insert(pid).second)
                kill(pid, SIGSTOP);
        }
        if (frozen.size() == before)
            break;
    }
    for (const pid_t pid : livingDescendants())
        kill(pid, SIGKILL);
    return frozen.size();
}

} // namespace ym::launch
