// A proxy between a client and a unix socket that loses, cuts, slices and delays what passes.
#pragma once

#include <QByteArray>
#include <QLocalServer>
#include <QLocalSocket>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace ym::test {

/// Listens on a unix socket of its own. Lives in the thread of the test.
class FaultProxy : public QObject {
    Q_OBJECT
public:
    enum class Mode : quint8 {
        Pass,
        LoseReplies, ///< what the server says is swallowed, what the client says arrives
        LoseAll, ///< neither side hears the other
        Slice, ///< replies arrive byte by byte
        Delay, ///< replies arrive 50 ms later
        Cut, ///< after `cutAfter` bytes of a reply the connection ends
    };
    explicit FaultProxy(const QString &serverPath);

    QString url() const { return QStringLiteral("unix:") + m_path; }
    void setMode(Mode mode, qsizetype cutAfter = 0);
    /// Ends every connection now.
    void hangUp();
    int connectionCount() const { return m_accepted; }

private:
    struct Pair {
        QLocalSocket *client;
        QLocalSocket *server;
    };
    void accept();
    void toServer(const Pair &pair);
    void toClient(const Pair &pair);

    QTemporaryDir m_folder;
    QString m_path;
    QString m_serverPath;
    QLocalServer m_listener;
    Mode m_mode = Mode::Pass;
    qsizetype m_cutAfter = 0;
    int m_accepted = 0;
};

} // namespace ym::test
