#include "core/worker/launcher/confine.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ym::launch {

namespace {

// As <linux/landlock.h> of newer kernels has them; the headers of Debian 12 end at version 2.
constexpr std::uint64_t execute = 1 << 0;
constexpr std::uint64_t writeFile = 1 << 1;
constexpr std::uint64_t readFile = 1 << 2;
constexpr std::uint64_t readFolder = 1 << 3;
constexpr std::uint64_t truncate = 1 << 14;
constexpr std::uint64_t deviceControl = 1 << 15;
constexpr std::uint64_t firstVersionMask = (1 << 13) - 1;
constexpr std::uint64_t refer = 1 << 13;
constexpr std::uint64_t scopeAll = 3; ///< abstract unix sockets and signals
constexpr int rulePathBeneath = 1;
constexpr int scopeVersion = 6;

struct RulesetAttributes {
    std::uint64_t files = 0;
    std::uint64_t network = 0; // version 4
    std::uint64_t scope = 0; // version 6
};

struct __attribute__((packed)) PathRule {
    std::uint64_t allowed;
    std::int32_t folder;
};

constexpr const char *systemPaths[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/etc/alternatives", "/etc/ld.so.cache",
    "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/ssl",
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/etc/protocols", "/etc/gai.conf"};
constexpr const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

std::uint64_t filesOf(int version)
{
    std::uint64_t mask = firstVersionMask;
    if (version >= 2)
        mask |= refer;
    if (version >= 3)
        mask |= truncate;
    if (version >= 5)
        mask |= deviceControl;
    return mask;
}

/// Rules about a file may not speak of folders.
bool allow(int ruleset, const char *path, std::uint64_t access)
{
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR;
    struct stat about { };
    const bool isFolder = fstat(fd, &about) == 0 && S_ISDIR(about.st_mode);
    const std::uint64_t ofFiles = execute | writeFile | readFile | truncate | deviceControl;
    const PathRule rule{isFolder ? access : access & ofFiles, fd};
    const bool ok = syscall(SYS_landlock_add_rule, ruleset, rulePathBeneath, &rule, 0) == 0;
    const int error = errno;
    close(fd);
    errno = error;
    return ok;
}

bool enforce(int ruleset, bool ok)
{
    ok = ok && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    const int error = errno;
    close(ruleset);
    errno = error;
    return ok;
}

int makeRuleset(int version, std::uint64_t files)
{
    RulesetAttributes attributes;
    attributes.files = files;
    attributes.scope = version >= scopeVersion ? scopeAll : 0;
    const std::size_t known = version >= scopeVersion ? sizeof attributes
        : version >= 4                                ? 2 * sizeof(std::uint64_t)
                                                      : sizeof(std::uint64_t);
    return int(syscall(SYS_landlock_create_ruleset, &attributes, known, 0));
}

} // namespace

int landlockVersion()
{
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, 1);
    return version > 0 ? int(version) : 0;
}

bool confineFiles(const std::vector<std::string> &readable, const std::vector<std::string> &writable)
{
    const int version = landlockVersion();
    const std::uint64_t all = filesOf(version);
    const int ruleset = version > 0 ? makeRuleset(version, all) : -1;
    if (ruleset < 0)
        return false;
    const std::uint64_t read = execute | readFile | readFolder;
    bool ok = true;
    for (const char *path : systemPaths)
        ok = ok && allow(ruleset, path, read);
    for (const char *path : devices)
        ok = ok && allow(ruleset, path, (readFile | writeFile | truncate) & all);
    for (const std::string &path : readable)
        ok = ok && allow(ruleset, path.c_str(), read);
    for (const std::string &path : writable)
        ok = ok && allow(ruleset, path.c_str(), all & ~deviceControl);
    return enforce(ruleset, ok);
}

bool keepsScope()
{
    return landlockVersion() >= scopeVersion;
}

bool confineScope()
{
    if (!keepsScope())
        return true;
    const int ruleset = makeRuleset(landlockVersion(), 0);
    return ruleset >= 0 && enforce(ruleset, true);
}

} // namespace ym::launch
