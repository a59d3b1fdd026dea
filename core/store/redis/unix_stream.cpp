#include "core/store/redis/unix_stream.h"

#include <QEvent>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ym {

namespace {

/// Calls without a signal. Keeps what it calls, because the stream may be closed or gone when the call returns.
class ReadNotifier final : public QSocketNotifier {
public:
    ReadNotifier(int descriptor, std::function<void()> call)
        : QSocketNotifier(descriptor, QSocketNotifier::Read)
        , m_call(std::move(call))
    {
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::SockAct)
            return QSocketNotifier::event(event);
        if (isEnabled())
            m_call();
        return true;
    }

private:
    std::function<void()> m_call;
};

} // namespace

UnixStream::UnixStream(std::function<void()> onReadable, QObject *parent)
    : QObject(parent)
    , m_onReadable(std::move(onReadable))
{
}

UnixStream::~UnixStream()
{
    close();
}

int UnixStream::open(const QString &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    if (name.size() >= qsizetype(sizeof address.sun_path))
        return ENAMETOOLONG;
    std::memcpy(address.sun_path, name.constData(), size_t(name.size()));
    m_descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m_descriptor < 0)
        return errno;
    if (::connect(m_descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
        const int trouble = errno;
        close();
        return trouble;
    }
    m_readable = std::make_unique<ReadNotifier>(m_descriptor, m_onReadable);
    m_writable = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &UnixStream::sendRest);
    return 0;
}

void UnixStream::close()
{
    if (m_descriptor < 0)
        return;
    // We may be inside the notifier's own signal.
    for (auto *notifier : {&m_readable, &m_writable}) {
        if (!*notifier)
            continue;
        (*notifier)->setEnabled(false);
        (*notifier)->disconnect();
        notifier->release()->deleteLater();
    }
    ::close(m_descriptor);
    m_descriptor = -1;
    m_rest.clear();
}

qint64 UnixStream::read(char *bytes, qint64 most)
{
    if (m_descriptor < 0)
        return -1;
    ssize_t count = -1;
    do
        count = ::recv(m_descriptor, bytes, size_t(most), 0);
    while (count < 0 && errno == EINTR);
    if (count > 0)
        return count;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
}

/// How much the kernel took; -1 when the peer is gone.
qsizetype UnixStream::sendNow(const char *bytes, qsizetype count)
{
    qsizetype sent = 0;
    while (sent < count) {
        const ssize_t taken = ::send(m_descriptor, bytes + sent, size_t(count - sent), MSG_NOSIGNAL);
        if (taken > 0)
            sent += taken;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            break;
        else if (errno != EINTR)
            return -1;
    }
    return sent;
}

void UnixStream::write(const char *bytes, qsizetype count)
{
    if (m_descriptor < 0)
        return;
    if (!m_rest.isEmpty()) {
        m_rest.append(bytes, count);
        return;
    }
    const qsizetype sent = sendNow(bytes, count);
    if (sent < 0 || sent == count)
        return;
    m_rest = QByteArray(bytes + sent, count - sent);
    m_restSent = 0;
    m_writable->setEnabled(true);
}

void UnixStream::sendRest()
{
    const qsizetype sent = sendNow(m_rest.constData() + m_restSent, m_rest.size() - m_restSent);
    m_restSent += std::max<qsizetype>(sent, 0);
    if (sent >= 0 && m_restSent < m_rest.size())
        return;
    m_rest.clear();
    m_writable->setEnabled(false);
}

} // namespace ym
