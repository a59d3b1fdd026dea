// A server that answers with whatever a test wants.
#pragma once

#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>
#include <QTemporaryDir>

#include <functional>
#include <optional>

namespace ym::test {

/// Listens on a unix socket, reads RESP commands and answers each by asking `answer`, but for the commands with which a
/// connection begins (CLIENT, INFO, PING, AUTH, SELECT), which get what a real server says unless `greets` is off.
/// No answer (nullopt) means silence.
class HostileServer : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<std::optional<QByteArray>(const QList<QByteArray> &command)>;

    explicit HostileServer(Answer answer);
    ~HostileServer() override;

    QString url() const { return QStringLiteral("unix:") + m_folder.filePath(QStringLiteral("s")); }
    int connectionCount() const { return m_connections; }
    int commandCount(const QByteArray &verb) const { return m_commands.value(verb); }

    /// Answers everything itself, also the first commands.
    void doNotGreet() { m_greets = false; }
    /// Says this as soon as somebody connects, and hangs up.
    void sayFirst(QByteArray bytes) { m_first = std::move(bytes); }
    /// Sends one byte for each turn of the event loop.
    void sendByteByByte() { m_slowly = true; }
    /// Closes after each answer.
    void closeAfterAnswer() { m_closes = true; }
    void dropAll();

private:
    struct Client {
        QByteArray in;
        QByteArray out;
    };
    void welcome();
    void read(QLocalSocket *socket);
    void send(QLocalSocket *socket, const QByteArray &bytes);
    void sendNext(QLocalSocket *socket);
    std::optional<QByteArray> greeting(const QList<QByteArray> &command) const;

    QTemporaryDir m_folder;
    QLocalServer m_server;
    Answer m_answer;
    QHash<QLocalSocket *, Client> m_clients;
    QHash<QByteArray, int> m_commands;
    QByteArray m_first;
    int m_connections = 0;
    bool m_greets = true;
    bool m_slowly = false;
    bool m_closes = false;
};

} // namespace ym::test
