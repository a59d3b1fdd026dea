// The part of a warm Python that is not Python: waits for jobs and forks a process for each. A loaded module, because
// every page that an interpreter touches between two forks is copied, and pages are what a fork costs.
//
// Wire, on the socket of the launcher: a length (4 bytes) and strings that end with NUL: names of modules to import
// first, script, folder, CPU seconds, NAME=value...; three descriptors come with them. The answer is the process id (4
// bytes); it is the new process that answers, before it runs anything of the job. The new process is a child of the
// launcher, not of this one.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What we use of Python's interface; the interpreter that loads this module has it.
extern "C" {
struct PyObject;
PyObject *PyBytes_FromStringAndSize(const char *bytes, ssize_t size);
PyObject *PyTuple_New(ssize_t size);
int PyTuple_SetItem(PyObject *tuple, ssize_t at, PyObject *item);
void PyDict_Clear(PyObject *dictionary);
int PyDict_SetItem(PyObject *dictionary, PyObject *key, PyObject *value);
struct PyMethodDef {
    const char *name;
    PyObject *(*function)(PyObject *self, PyObject *argument);
    int flags;
    const char *text;
};
PyObject *PyCFunction_NewEx(PyMethodDef *method, PyObject *self, PyObject *module);
void PyOS_BeforeFork();
void PyOS_AfterFork_Parent();
void PyOS_AfterFork_Child();
}

namespace {

constexpr int linkDescriptor = 3;
constexpr int streamCount = 3;
constexpr std::uint32_t largestRequest = 64U << 20;
constexpr rlim_t cpuGraceSeconds = 5;

struct Request {
    char *bytes = nullptr; ///< NUL behind each word
    std::uint32_t size = 0;
    int streams[streamCount]{-1, -1, -1};
    bool isWaiting = false; ///< for the imports that it asked for
};

Request request; // NOLINT: one for the life of the process

/// Nobody sends jobs any more.
[[noreturn]] void leave()
{
    _exit(0);
}

void readOn(int link, char *bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t n = read(link, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            leave();
        bytes += n;
        size -= std::size_t(n);
    }
}

/// The length comes alone with the descriptors, so that nothing is read that belongs behind the request.
void receive(int link)
{
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof request.streams)]{};
    iovec part{&request.size, sizeof request.size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t n = 0;
    do
        n = recvmsg(link, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    const cmsghdr *const header = CMSG_FIRSTHDR(&message);
    if (n != ssize_t(sizeof request.size) || !header || header->cmsg_len != CMSG_LEN(sizeof request.streams)
        || request.size == 0 || request.size > largestRequest)
        leave();
    std::memcpy(request.streams, CMSG_DATA(header), sizeof request.streams);
    request.bytes = static_cast<char *>(std::malloc(request.size));
    if (!request.bytes)
        leave();
    readOn(link, request.bytes, request.size);
    if (request.bytes[request.size - 1] != '\0')
        leave();
}

void forget()
{
    for (int &fd : request.streams) {
        close(fd);
        fd = -1;
    }
    std::free(request.bytes);
    request.bytes = nullptr;
}

/// fork(), but the new process is the launcher's child, which then sees for itself how it ends. Does what the library's
/// own function does for a program with one thread.
pid_t forkBeside()
{
    void *threadId = nullptr;
    void *robust = nullptr;
    std::size_t robustSize = 0;
    if (prctl(PR_GET_TID_ADDRESS, &threadId, 0, 0, 0) != 0
        || syscall(SYS_get_robust_list, 0, &robust, &robustSize) != 0)
        return -1;
#if defined(__x86_64__)
    const long pid = syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, nullptr,
                             nullptr, threadId, nullptr);
#else
    const long pid = syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, nullptr,
                             nullptr, nullptr, threadId);
#endif
    if (pid == 0)
        syscall(SYS_set_robust_list, robust, robustSize);
    return pid_t(pid);
}

PyObject *bytesOf(const char *from, const char *end)
{
    return PyBytes_FromStringAndSize(from, end - from);
}

/// The environment lies in the request, which this process keeps; `known` is what Python holds of it.
void setEnvironment(char *first, const char *end, PyObject *known)
{
    std::size_t count = 0;
    for (const char *at = first; at < end; at += std::strlen(at) + 1)
        ++count;
    auto **const variables = static_cast<char **>(std::calloc(count + 1, sizeof(char *)));
    if (!variables)
        _exit(127);
    char **next = variables;
    PyDict_Clear(known);
    for (char *at = first; at < end; at += std::strlen(at) + 1) {
        *next++ = at;
        if (const char *const equals = std::strchr(at, '='))
            PyDict_SetItem(known, bytesOf(at, equals), bytesOf(equals + 1, at + std::strlen(at)));
    }
    environ = variables;
}

bool becomeJob(const char *folder, const char *seconds)
{
    setpgid(0, 0);
    for (int target = 0; target < streamCount; ++target) {
        if (dup2(request.streams[target], target) < 0)
            return false;
    }
    close_range(streamCount, ~0U, 0);
    const rlim_t cpu = std::strtoull(seconds, nullptr, 10);
    const rlimit limit{cpu, cpu + cpuGraceSeconds};
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return chdir(folder) == 0 && (cpu == 0 || setrlimit(RLIMIT_CPU, &limit) == 0);
}

/// The text of the script; nothing when it cannot be read.
PyObject *contentOf(const char *path)
{
    struct stat about { };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        _exit(127);
    auto *const text = static_cast<char *>(std::malloc(std::size_t(about.st_size) + 1));
    ssize_t size = 0;
    for (ssize_t n = 1; text && n > 0 && size < about.st_size; size += n > 0 ? n : 0)
        n = read(fd, text + size, std::size_t(about.st_size - size));
    close(fd);
    PyObject *const result = bytesOf(text, text + size);
    std::free(text);
    return result;
}

PyObject *answer(PyObject *first, PyObject *second)
{
    PyObject *const tuple = PyTuple_New(2);
    PyTuple_SetItem(tuple, 0, first);
    PyTuple_SetItem(tuple, 1, second);
    return tuple;
}

/// Returns two byte strings: in the process that is the job, nothing and the text of the script. In this one only when
/// modules are to be imported: their names with commas, and nothing; then it is called again.
PyObject *nextJob(PyObject *known, PyObject *)
{
    for (;;) {
        if (!request.isWaiting)
            receive(linkDescriptor);
        char *const modules = request.bytes;
        char *const end = request.bytes + request.size;
        const char *words[3]{}; // script, folder, seconds
        char *at = modules;
        for (const char *&word : words) {
            at += std::strlen(at) + 1;
            if (at >= end)
                leave();
            word = at;
        }
        at += std::strlen(at) + 1;
        if (*modules != '\0' && !request.isWaiting) {
            request.isWaiting = true;
            return answer(bytesOf(modules, modules + std::strlen(modules)), bytesOf("", ""));
        }
        request.isWaiting = false;
        PyOS_BeforeFork();
        const pid_t pid = forkBeside();
        if (pid < 0)
            _exit(1);
        if (pid > 0) {
            PyOS_AfterFork_Parent();
            forget();
            continue;
        }
        const auto self = std::int32_t(getpid());
        if (write(linkDescriptor, &self, sizeof self) != ssize_t(sizeof self) || !becomeJob(words[1], words[2]))
            _exit(127);
        PyOS_AfterFork_Child();
        setEnvironment(at, end, known);
        return answer(bytesOf("", ""), contentOf(words[0]));
    }
}

constexpr int noArguments = 4; // METH_NOARGS
PyMethodDef nextJobMethod{"next_job", nextJob, noArguments, nullptr};

} // namespace

/// A function without arguments that does the above. `known` is the dictionary in which Python holds the environment.
extern "C" __attribute__((visibility("default"))) PyObject *yardmaster_next_job(PyObject *known)
{
    return PyCFunction_NewEx(&nextJobMethod, known, nullptr);
}
