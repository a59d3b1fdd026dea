// The part of a warm Python that is not Python: waits for jobs and forks a process for each. A loaded module, because
// every page that an interpreter touches between two forks is copied, and pages are what a fork costs.
//
// Wire. On the interpreter's socket come messages of a length (4 bytes) and so many bytes: names of modules to import,
// with commas, or nothing, and then four descriptors with the length: a socket and three streams for a new process. That
// is a child of the launcher, not of the interpreter, so that the launcher sees for itself how it ends. It says its
// process id (4 bytes) on its own socket, gets ready and waits there for its job: a length and strings that end with
// NUL: script, CPU seconds, NAME=value... It answers with one byte before it runs anything of it.
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

constexpr int linkDescriptor = 3; ///< of the interpreter, and of a new process its own
constexpr int streamCount = 3;
constexpr int descriptorCount = 1 + streamCount;
constexpr std::uint32_t largestMessage = 64U << 20;
constexpr rlim_t cpuGraceSeconds = 5;
constexpr int notStarted = 127;

struct Message {
    char *bytes = nullptr;
    std::uint32_t size = 0;
    int descriptors[descriptorCount]{-1, -1, -1, -1}; ///< the socket, then the streams
};

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

/// The length comes alone with the descriptors, so that nothing is read that belongs behind the message.
Message receive(int link)
{
    Message message;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof message.descriptors)]{};
    iovec part{&message.size, sizeof message.size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t n = 0;
    do
        n = recvmsg(link, &header, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    if (n != ssize_t(sizeof message.size) || message.size > largestMessage)
        leave();
    const cmsghdr *const rights = CMSG_FIRSTHDR(&header);
    if (rights && rights->cmsg_len == CMSG_LEN(sizeof message.descriptors))
        std::memcpy(message.descriptors, CMSG_DATA(rights), sizeof message.descriptors);
    message.bytes = static_cast<char *>(std::malloc(message.size + 1));
    if (!message.bytes)
        leave();
    readOn(link, message.bytes, message.size);
    message.bytes[message.size] = '\0';
    return message;
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

/// The environment lies in the message; `known` is what Python holds of it.
void setEnvironment(char *first, const char *end, PyObject *known)
{
    std::size_t count = 0;
    for (const char *at = first; at < end; at += std::strlen(at) + 1)
        ++count;
    auto **const variables = static_cast<char **>(std::calloc(count + 1, sizeof(char *)));
    if (!variables)
        _exit(notStarted);
    char **next = variables;
    PyDict_Clear(known);
    for (char *at = first; at < end; at += std::strlen(at) + 1) {
        *next++ = at;
        if (const char *const equals = std::strchr(at, '='))
            PyDict_SetItem(known, bytesOf(at, equals), bytesOf(equals + 1, at + std::strlen(at)));
    }
    environ = variables;
}

/// In the new process: everything that does not need the job.
bool prepare(const Message &order)
{
    setpgid(0, 0); // before it is known: signals go to the group
    const auto self = std::int32_t(getpid());
    if (write(order.descriptors[0], &self, sizeof self) != ssize_t(sizeof self))
        return false;
    for (int target = 0; target < streamCount; ++target) {
        if (dup2(order.descriptors[1 + target], target) < 0)
            return false;
    }
    if (dup2(order.descriptors[0], linkDescriptor) < 0)
        return false;
    close_range(linkDescriptor + 1, ~0U, 0);
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

/// The text of the script; nothing when it cannot be read.
PyObject *contentOf(const char *path)
{
    struct stat about { };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        _exit(notStarted);
    auto *const text = static_cast<char *>(std::malloc(std::size_t(about.st_size) + 1));
    ssize_t size = 0;
    for (ssize_t n = 1; text && n > 0 && size < about.st_size; size += n > 0 ? n : 0)
        n = read(fd, text + size, std::size_t(about.st_size - size));
    close(fd);
    PyObject *const result = bytesOf(text, text + size);
    std::free(text);
    return result;
}

/// Returns nothing in a new process, and in the interpreter the names of modules to import: then it is called again.
PyObject *nextProcess(PyObject *, PyObject *)
{
    for (;;) {
        const Message order = receive(linkDescriptor);
        if (order.size > 0) {
            PyObject *const names = bytesOf(order.bytes, order.bytes + order.size);
            std::free(order.bytes);
            return names;
        }
        PyOS_BeforeFork();
        const pid_t pid = forkBeside();
        if (pid < 0)
            _exit(1);
        if (pid == 0) {
            if (!prepare(order))
                _exit(notStarted);
            PyOS_AfterFork_Child();
            return bytesOf("", "");
        }
        PyOS_AfterFork_Parent();
        for (const int fd : order.descriptors)
            close(fd);
        std::free(order.bytes);
    }
}

/// Waits for the job of this process; from then on it is the job. Returns the text of its script.
PyObject *takeJob(PyObject *known, PyObject *)
{
    const Message job = receive(linkDescriptor); // is kept: the environment lies there
    const char *const end = job.bytes + job.size;
    char *const seconds = job.bytes + std::strlen(job.bytes) + 1;
    if (seconds >= end)
        leave();
    const rlim_t cpu = std::strtoull(seconds, nullptr, 10);
    const rlimit limit{cpu, cpu + cpuGraceSeconds};
    const char taken = 1;
    if ((cpu > 0 && setrlimit(RLIMIT_CPU, &limit) != 0) || write(linkDescriptor, &taken, 1) != 1)
        _exit(notStarted);
    close(linkDescriptor);
    setEnvironment(seconds + std::strlen(seconds) + 1, end, known);
    return contentOf(job.bytes);
}

constexpr int noArguments = 4; // METH_NOARGS
PyMethodDef nextProcessMethod{"next_process", nextProcess, noArguments, nullptr};
PyMethodDef takeJobMethod{"take_job", takeJob, noArguments, nullptr};

} // namespace

/// The two functions above. `known` is the dictionary in which Python holds the environment.
extern "C" __attribute__((visibility("default"))) PyObject *yardmaster_functions(PyObject *known)
{
    PyObject *const both = PyTuple_New(2);
    PyTuple_SetItem(both, 0, PyCFunction_NewEx(&nextProcessMethod, nullptr, nullptr));
    PyTuple_SetItem(both, 1, PyCFunction_NewEx(&takeJobMethod, known, nullptr));
    return both;
}
