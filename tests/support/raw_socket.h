// A plain blocking socket: what a client sends and gets, byte for byte.
#pragma once

#include <QByteArray>
#include <QString>

namespace ym::test {

/// Connects to a unix socket or to a port of 127.0.0.1. Nothing waits for more than 20 seconds.
class RawSocket {
public:
    explicit RawSocket(const QString &path);
    explicit RawSocket(quint16 port);
    ~RawSocket();
    RawSocket(const RawSocket &) = delete;
    RawSocket &operator=(const RawSocket &) = delete;

    bool isConnected() const { return m_descriptor >= 0; }
    /// False when the peer takes no more.
    bool send(const QByteArray &bytes);
    /// Sends as much as is taken without waiting; returns how much.
    qsizetype sendWhatFits(const QByteArray &bytes);
    /// Tells the peer that nothing more comes.
    void endSending();
    /// Exactly `count` bytes; fewer when the peer closes or says nothing any more.
    QByteArray read(qsizetype count);
    /// Whatever has come, at least one byte; nothing when the peer closes.
    QByteArray readSome();
    /// All bytes until the peer closes; `wasClosed` tells whether it did.
    QByteArray readToEnd(bool *wasClosed = nullptr);
    int descriptor() const { return m_descriptor; }

private:
    void limitWaiting();

    int m_descriptor = -1;
};

/// `words` as a RESP request.
QByteArray respRequest(const QList<QByteArray> &words);

} // namespace ym::test
