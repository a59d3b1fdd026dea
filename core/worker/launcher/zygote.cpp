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

#include <string>
#include <string_view>
#include <utility>

namespace ym::launch {

namespace {

// Messages are as core/worker/warm/fork_server.cpp reads them.

std::string message(const std::string &text)
{
    const auto size = std::uint32_t(text.size());
    std::string bytes(sizeof size, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    return bytes + text;
}

std::string jobMessage(const Settings &settings)
{
    std::string text;
    const auto add = [&text](const std::string &word) { text.append(word).push_back('\0'); };
    add(settings.script);
    add(std::to_string(settings.limits.cpuSeconds));
    for (const std::string &variable : settings.variables)
        add(variable);
    return message(text);
}

bool sendAll(int socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(n > 0 ? std::size_t(n) : 0);
    }
    return true;
}

/// An empty message with descriptors.
bool sendDescriptors(int socket, const int (&descriptors)[4])
{
    std::uint32_t nothing = 0;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)]{};
    iovec part{&nothing, sizeof nothing};
    msghdr whole{};
    whole.msg_iov = &part;
    whole.msg_iovlen = 1;
    whole.msg_control = control;
    whole.msg_controllen = sizeof control;
    cmsghdr *const header = CMSG_FIRSTHDR(&whole);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
    return sendmsg(socket, &whole, MSG_NOSIGNAL) == ssize_t(sizeof nothing);
}

void closeAll(std::initializer_list<int> descriptors)
{
    for (const int fd : descriptors) {
        if (fd >= 0)
            close(fd);
    }
}

} // namespace

Zygote::~Zygote()
{
    closeAll({m_link, m_jobLink, m_next.out, m_next.err});
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

void Zygote::prepare()
{
    closeAll({std::exchange(m_jobLink, -1)});
    m_next = {};
    int link[2]{-1, -1}, out[2]{-1, -1}, err[2]{-1, -1};
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool made = in >= 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0
        && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) == 0;
    if (!made)
        m_next.error = errno;
    const bool sent = made && sendDescriptors(m_link, {link[1], in, out[1], err[1]});
    closeAll({in, out[1], err[1], link[1]});
    if (!sent) {
        closeAll({out[0], err[0], link[0]});
        return;
    }
    m_next.pid = 0;
    m_next.out = out[0];
    m_next.err = err[0];
    m_jobLink = link[0];
    fcntl(m_next.out, F_SETFL, O_NONBLOCK);
    fcntl(m_next.err, F_SETFL, O_NONBLOCK);
}

Started Zygote::startJob(const Settings &settings)
{
    Started job = std::exchange(m_next, {});
    const bool sent = job.pid == 0 && sendAll(m_jobLink, jobMessage(settings));
    if (!sent) {
        closeAll({job.out, job.err});
        return {-1, job.error != 0 ? job.error : ECHILD, -1, -1};
    }
    if (!settings.imports.empty())
        sendAll(m_link, message(settings.imports));
    return job;
}

pid_t Zygote::jobPid(int waitMs) const
{
    std::int32_t pid = 0;
    pollfd one{m_jobLink, POLLIN, 0};
    if (poll(&one, 1, waitMs) != 1
        || recv(m_jobLink, &pid, sizeof pid, MSG_WAITALL | MSG_DONTWAIT) != ssize_t(sizeof pid))
        return 0;
    return pid;
}

bool Zygote::jobWasTaken() const
{
    char taken = 0;
    return recv(m_jobLink, &taken, 1, MSG_DONTWAIT) == 1;
}

void Zygote::end()
{
    if (m_isAlive)
        kill(m_pid, SIGKILL);
}

} // namespace ym::launch
