#include "app/cli/interrupts.h"

#include "app/cli/exit_code.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace ym::cli {

namespace {

constexpr int handledSignals[] = {SIGINT, SIGTERM, SIGHUP};
// Beyond this a person wants out, whatever still hangs.
constexpr int lastPatience = 3;

int pipeEnds[2] = {-1, -1};

extern "C" void passOn(int)
{
    const int keep = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
    errno = keep;
}

} // namespace

Interrupts::Interrupts(QObject *parent)
    : QObject(parent)
{
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe for signals");
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Interrupts::readPipe);
    struct sigaction action { };
    action.sa_handler = passOn;
    action.sa_flags = SA_RESTART;
    for (const int number : handledSignals) {
        struct sigaction before { };
        ::sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) // nohup and background jobs of a shell stay untouched
            ::sigaction(number, &action, nullptr);
    }
    ::signal(SIGPIPE, SIG_IGN);
}

Interrupts::~Interrupts()
{
    for (const int number : handledSignals)
        ::signal(number, SIG_DFL);
    delete m_notifier;
    for (int &end : pipeEnds)
        ::close(std::exchange(end, -1));
}

void Interrupts::readPipe()
{
    char bytes[16];
    const ssize_t got = ::read(pipeEnds[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; ++i)
        request();
}

void Interrupts::request()
{
    ++m_count;
    if (m_count > lastPatience)
        ::_exit(ExitInterrupted);
    if (m_count > 1 || !m_isHandled)
        m_stop.request_stop(); // first: whoever is told may close what is waited for
    Q_EMIT requested(m_count);
}

} // namespace ym::cli
