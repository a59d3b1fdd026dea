#include "core/worker/launcher/zygote.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ym::launch {

namespace {

/// As core/worker/warm/fork_server.cpp reads it.
std::string request(const Settings &settings)
{
    std::string text(sizeof(std::uint32_t), '\0');
    const auto add = [&text](const std::string &word) { text.append(word).push_back('\0'); };
    add(settings.imports);
    add(settings.script);
    add(settings.folder);
    add(std::to_string(settings.limits.cpuSeconds));
    for (const std::string &variable : settings.variables)
        add(variable);
    const auto size = std::uint32_t(text.size() - sizeof(std::uint32_t));
    std::memcpy(text.data(), &size, sizeof size);
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
    const bool sent = sendAll(m_link, request(settings), {in, out[1], err[1]});
    for (const int fd : {in, out[1], err[1]})
        close(fd);
    if (!sent) {
        end();
        close(out[0]);
        close(err[0]);
        return {-1, ECHILD, -1, -1};
    }
    job.pid = 0;
    job.out = out[0];
    job.err = err[0];
    fcntl(job.out, F_SETFL, O_NONBLOCK);
    fcntl(job.err, F_SETFL, O_NONBLOCK);
    return job;
}

pid_t Zygote::jobPid(int waitMs)
{
    std::int32_t pid = 0;
    pollfd one{m_link, POLLIN, 0};
    if (poll(&one, 1, waitMs) != 1 || recv(m_link, &pid, sizeof pid, MSG_WAITALL | MSG_DONTWAIT) != ssize_t(sizeof pid))
        return 0;
    return pid;
}

void Zygote::end()
{
    if (m_isAlive)
        kill(m_pid, SIGKILL);
}

} // namespace ym::launch
