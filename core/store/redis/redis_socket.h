// One socket to a server: TCP, TLS or unix, with its failures in plain words.
#pragma once

#include "core/base/error.h"
#include "core/store/store_address.h"

#include <QObject>

#include <functional>

QT_BEGIN_NAMESPACE
class QSslSocket;
class QTcpSocket;
QT_END_NAMESPACE

namespace ym {

class UnixStream;

/// Opens a Qt socket for an address and reports when it is usable and when it is lost. One use; lives in one thread.
class RedisSocket final : public QObject {
    Q_OBJECT
public:
    /// `onReadable` is called when bytes have come, from the event loop.
    RedisSocket(StoreAddress address, std::function<void()> onReadable, QObject *parent = nullptr);
    ~RedisSocket() override;

    /// Begins to connect. connected() or lost() follows.
    void open();
    /// Cuts the connection without a word and without a signal.
    void abort();

    /// Hands the bytes to the operating system as far as it takes them; the rest is kept and sent later. A loss that is
    /// found here is told in the next turn, so that nobody is resumed inside this call.
    void write(const QByteArray &bytes);

    /// Takes up to `most` bytes that have arrived; less than `most` when there are no more for now. May emit lost().
    qint64 read(char *bytes, qint64 most);

Q_SIGNALS:
    /// Ready for commands: for TLS after the handshake and the check of the certificate.
    void connected();
    /// Emitted once; Unavailable when trying again may help, Authentication or Usage when a person must act.
    void lost(const ym::Error &why);

private:
    void openLocal();
    void openTcp();
    void openTls();
    void watchTcp(QTcpSocket *socket);
    void whenConnected();
    void report(Error why);
    Error closedByServer() const;
    Error localTrouble(int number) const;
    Error tcpTrouble() const;
    Error tlsTrouble() const;

    StoreAddress m_address;
    std::function<void()> m_onReadable;
    UnixStream *m_unix = nullptr;
    QTcpSocket *m_tcp = nullptr;
    QSslSocket *m_tls = nullptr; ///< m_tcp as what it is, for TLS
    QString m_certificateTrouble;
    bool m_connected = false;
    bool m_writing = false;
    bool m_done = false;
};

} // namespace ym
