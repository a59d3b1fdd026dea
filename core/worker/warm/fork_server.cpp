// The part of a warm Python that is not Python: waits for jobs, forks a process for each and runs its script there. A
// loaded module, because every page that an interpreter touches between two forks, or in a job, is copied, and pages are
// what a fork costs.
//
// Wire. On the interpreter's socket come messages of a length (4 bytes) and so many bytes: names of modules to import,
// with commas, or nothing, and then four descriptors with the length: a socket and three streams for a new process. That
// is a child of the launcher, not of the interpreter, so that the launcher sees for itself how it ends. It says its
// process id (4 bytes) on its own socket, gets ready and waits there for its job: a length and strings that end with
// NUL: script, CPU seconds, NAME=value... It answers with one byte before it runs anything of it.
#include "core/worker/warm/python_interface.h"

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

/// Of what a job's environment holds, the zygote's holds most too: what is the same is not touched.
void learnVariable(PyObject *known, const char *entry)
{
    const char *const equals = std::strchr(entry, '=');
    if (!equals)
        return;
    PyObject *const name = bytesOf(entry, equals);
    PyObject *const present = PyDict_GetItem(known, name);
    if (!present || std::strcmp(PyBytes_AsString(present), equals + 1) != 0) { // neither can hold a NUL
        PyObject *const value = bytesOf(equals + 1, entry + std::strlen(entry));
        PyDict_SetItem(known, name, value);
        Py_DecRef(value);
    }
    Py_DecRef(name);
}

/// The environment lies in the message; `known` is what Python holds of it.
void setEnvironment(char *first, const char *end, PyObject *known)
{
    ssize_t count = 0;
    for (const char *at = first; at < end; at += std::strlen(at) + 1)
        ++count;
    environ = static_cast<char **>(std::calloc(std::size_t(count) + 1, sizeof(char *)));
    if (!environ)
        _exit(notStarted);
    char **next = environ;
    for (char *at = first; at < end; at += std::strlen(at) + 1) {
        *next++ = at;
        learnVariable(known, at);
    }
    if (PyDict_Size(known) == count)
        return;
    PyDict_Clear(known); // an imported module has added something
    for (const char *at = first; at < end; at += std::strlen(at) + 1)
        learnVariable(known, at);
}

/// In the new process: everything that does not need the job.
bool prepareProcess(const Message &order)
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

struct Text {
    char *bytes = nullptr;
    ssize_t size = 0;
};

/// The text of the script, with a NUL behind it.
Text contentOf(const char *path)
{
    struct stat about { };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        _exit(notStarted);
    Text text;
    text.bytes = static_cast<char *>(std::malloc(std::size_t(about.st_size) + 1));
    if (!text.bytes)
        _exit(notStarted);
    for (ssize_t n = 1; n > 0 && text.size < about.st_size; text.size += n > 0 ? n : 0)
        n = read(fd, text.bytes + text.size, std::size_t(about.st_size - text.size));
    close(fd);
    text.bytes[text.size] = '\0';
    return text;
}

/// What jobs need of Python's side (resources/python/zygote.py); belongs to the module for good.
struct Side {
    PyObject *environment = nullptr; ///< the dictionary in which Python holds it
    PyObject *scope = nullptr; ///< the script's globals
    PyObject *failed = nullptr; ///< (kind, value, trace): shows an exception and returns the exit code
    PyObject *finish = nullptr; ///< (): as an interpreter ends
};
Side side;

/// Exit code after an exception.
int failed()
{
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    PyErr_NormalizeException(&kind, &value, &trace);
    if (!trace)
        trace = Py_BuildValue("");
    PyObject *const code = PyObject_CallFunctionObjArgs(side.failed, kind, value, trace, nullptr);
    if (code)
        return int(PyLong_AsLong(code));
    PyErr_Print(); // of a hook that failed itself
    return 1;
}

/// Nothing when the script ended with an exception.
PyObject *runText(const char *text, const char *path, PyObject *scope)
{
    PyObject *const code = Py_CompileString(text, path, fileInput);
    if (!code)
        return nullptr;
    PyObject *const result = PyEval_EvalCode(code, scope, scope);
    Py_DecRef(code);
    return result;
}

/// In a new process, while nobody waits for it: a good part of the pages that every job changes is copied by then. More
/// than this copies pages that a job would leave alone.
void warmUp()
{
    PyObject *const scope = PyDict_New();
    PyObject *const result = runText("value = str(1)", "", scope);
    if (!result)
        _exit(notStarted);
    Py_DecRef(result);
    Py_DecRef(scope);
}

int exitCodeOf(const Text &text, const char *path)
{
    PyObject *result = nullptr;
    if (std::strlen(text.bytes) == std::size_t(text.size))
        result = runText(text.bytes, path, side.scope);
    else
        PyErr_SetString(PyExc_SyntaxError, "source code cannot contain null bytes");
    const int code = result ? 0 : failed();
    return PyObject_CallFunctionObjArgs(side.finish, nullptr) ? code : failed();
}

/// Waits for the job of this process; from then on it is the job.
[[noreturn]] void becomeJob()
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
    setEnvironment(seconds + std::strlen(seconds) + 1, end, side.environment);
    _exit(exitCodeOf(contentOf(job.bytes), job.bytes));
}

void forkJob(const Message &order)
{
    PyOS_BeforeFork();
    const pid_t pid = forkBeside();
    if (pid < 0)
        _exit(1);
    if (pid == 0) {
        if (!prepareProcess(order))
            _exit(notStarted);
        PyOS_AfterFork_Child();
        warmUp();
        becomeJob();
    }
    PyOS_AfterFork_Parent();
    for (const int fd : order.descriptors)
        close(fd);
}

/// serve(): forks until a message has the names of modules to import, which it returns.
PyObject *serve(PyObject *, PyObject *)
{
    for (;;) {
        const Message order = receive(linkDescriptor);
        PyObject *names = nullptr;
        if (order.size > 0)
            names = bytesOf(order.bytes, order.bytes + order.size);
        else
            forkJob(order);
        std::free(order.bytes);
        if (names)
            return names;
    }
}

/// prepare(environment, scope, failed, finish)
PyObject *prepare(PyObject *, PyObject *arguments)
{
    PyObject **const parts[] = {&side.environment, &side.scope, &side.failed, &side.finish};
    ssize_t at = 0;
    for (PyObject **const part : parts) {
        *part = PyTuple_GetItem(arguments, at++);
        if (!*part)
            return nullptr;
        Py_IncRef(*part);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // no job may look into this process
    return Py_BuildValue("");
}

/// run(text, path): as a job's script is run.
PyObject *run(PyObject *, PyObject *arguments)
{
    PyObject *const text = PyTuple_GetItem(arguments, 0);
    PyObject *const path = text ? PyTuple_GetItem(arguments, 1) : nullptr;
    return path ? runText(PyBytes_AsString(text), PyBytes_AsString(path), side.scope) : nullptr;
}

PyMethodDef methods[] = {{"prepare", prepare, withArguments, nullptr},
                         {"run", run, withArguments, nullptr},
                         {"serve", serve, withoutArguments, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition{{1, nullptr, nullptr, 0, nullptr}, "yardmaster_warm", nullptr, 0, methods};

} // namespace

extern "C" __attribute__((visibility("default"))) PyObject *PyInit_yardmaster_warm()
{
    return PyModuleDef_Init(&definition);
}
