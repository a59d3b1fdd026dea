#include "core/worker/launcher/zygote.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ym::launch {

namespace {

constexpr int startMs = 30'000; ///< for the fork's answer; the first one waits for the imports

/// Length, then strings that end with NUL: the script, the folder, two limits, the variables.
std::string request(const Settings &settings)
{
    std::string text;
    const auto add = [&text](const std::string &word) { text.append(word).push_back('\0'); };
    add(settings.script);
    add(settings.folder);
    add(std::to_string(settings.limits.cpuSeconds));
    add(std::to_string(settings.niceness));
    for (const std::string &variable : settings.variables)
        add(variable);
    return text;
}

/// The bytes, with the descriptors beside the first of them.
bool sendAll(int socket, const std::string &bytes, const int (&descriptors)[3])
{
    char control[CMSG_SPACE(sizeof descriptors)]{};
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        iovec part{const_cast<char *>(bytes.data()) + sent, bytes.size() - sent};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        if (sent == 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr *const header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof descriptors);
            std::memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
        }
        const ssize_t n = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        sent += n > 0 ? std::size_t(n) : 0;
    }
    return true;
}

} // namespace

Zygote::~Zygote()
{
    if (m_link >= 0)
        close(m_link);
}

bool Zygote::begin(const Settings &settings)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        m_error = errno;
        return false;
    }
    Settings own = settings;
    own.limits.cpuSeconds = 0; // it lives for many jobs
    own.link = ends[1];
    const Started started = start(own);
    close(ends[1]);
    m_pid = started.pid;
    m_error = started.error;
    m_link = ends[0];
    // What the zygote itself says, nobody has asked for.
    if (started.out >= 0)
        close(started.out);
    if (started.err >= 0)
        close(started.err);
    m_isAlive = m_pid > 0;
    return m_isAlive;
}

Started Zygote::startJob(const Settings &settings)
{
    Started job;
    int out[2]{-1, -1}, err[2]{-1, -1};
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
        job.error = errno;
        return job;
    }
    const std::string text = request(settings);
    const auto size = std::uint32_t(text.size());
    std::string bytes(reinterpret_cast<const char *>(&size), sizeof size);
    bytes += text;
    const bool sent = sendAll(m_link, bytes, {in, out[1], err[1]});
    for (const int fd : {in, out[1], err[1]})
        close(fd);
    std::string answer;
    pollfd one{m_link, POLLIN, 0};
    const bool told = sent && poll(&one, 1, startMs) == 1 && receive(answer)
        && std::sscanf(answer.c_str(), "started %d", &job.pid) == 1;
    if (!told) {
        end();
        close(out[0]);
        close(err[0]);
        return {-1, ECHILD, -1, -1, -1};
    }
    job.out = out[0];
    job.err = err[0];
    job.pidfd = int(syscall(SYS_pidfd_open, job.pid, 0));
    fcntl(job.out, F_SETFL, O_NONBLOCK);
    fcntl(job.err, F_SETFL, O_NONBLOCK);
    return job;
}

/// One line; false when the zygote is gone.
bool Zygote::receive(std::string &message)
{
    message.clear();
    char c = 0;
    for (;;) {
        const ssize_t n = read(m_link, &c, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        if (c == '\n')
            return true;
        message.push_back(c);
    }
}

bool Zygote::jobHasEnded(int &status, rusage &usage)
{
    std::string message;
    if (!receive(message)) {
        close(m_link);
        m_link = -1;
        return false;
    }
    long cpuUs = 0;
    if (std::sscanf(message.c_str(), "ended %d %ld %ld", &status, &cpuUs, &usage.ru_maxrss) != 3)
        return false;
    usage.ru_utime = {cpuUs / 1'000'000, cpuUs % 1'000'000};
    return true;
}

void Zygote::end()
{
    if (m_isAlive)
        kill(m_pid, SIGKILL);
}

} // namespace ym::launch
