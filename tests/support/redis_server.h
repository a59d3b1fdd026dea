// A real redis-server of the test's own.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <optional>

namespace ym::test {

/// Starts redis-server on a unix socket in a private folder (no TCP port unless asked) and kills it by pid at the end;
/// it does not outlive a test that is killed, either. Main thread.
class RedisServer {
public:
    struct Options {
        bool appendOnly = false;
        bool tcp = false;          ///< also on a free loopback port
        QStringList extra;         ///< further redis-server arguments
        QStringList environment{}; ///< NAME=VALUE, beside what the test itself has
    };
    RedisServer();
    explicit RedisServer(Options options);
    ~RedisServer();

    /// False when redis-server is not installed or did not answer; error() says why.
    bool isRunning() const;
    QString error() const { return m_error; }

    QString socketPath() const;
    QString url() const;           ///< unix:PATH
    quint16 port() const { return m_port; }
    qint64 pid() const;

    /// kill -9, and start again on the same folder and socket.
    void killHard();
    bool startAgain();
    void pause();                  ///< SIGSTOP
    void resume();                 ///< SIGCONT

    /// Runs redis-cli with these arguments; returns its standard output without the last line feed.
    QByteArray cli(const QStringList &arguments) const;

private:
    bool launch();

    QTemporaryDir m_folder;
    Options m_options;
    quint16 m_port = 0;
    QProcess m_process;
    QString m_error;
};

} // namespace ym::test
