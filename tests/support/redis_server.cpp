#include "tests/support/redis_server.h"

#include "tests/support/die_with_test.h"

#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTcpServer>
#include <QThread>

#include <csignal>

namespace ym::test {

RedisServer::RedisServer()
    : RedisServer(Options{})
{
}

RedisServer::RedisServer(Options options)
    : m_options(std::move(options))
{
    launch();
}

RedisServer::~RedisServer()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    ::kill(pid_t(m_process.processId()), SIGCONT);
    killHard();
}

bool RedisServer::isRunning() const
{
    return m_process.state() == QProcess::Running && m_error.isEmpty();
}

QString RedisServer::socketPath() const
{
    return m_folder.filePath(QStringLiteral("redis.sock"));
}

QString RedisServer::url() const
{
    return QStringLiteral("unix:") + socketPath();
}

qint64 RedisServer::pid() const
{
    return m_process.processId();
}

void RedisServer::killHard()
{
    m_process.kill();
    m_process.waitForFinished(10000);
}

bool RedisServer::startAgain()
{
    return launch();
}

void RedisServer::pause()
{
    ::kill(pid_t(m_process.processId()), SIGSTOP);
}

void RedisServer::resume()
{
    ::kill(pid_t(m_process.processId()), SIGCONT);
}

QByteArray RedisServer::cli(const QStringList &arguments) const
{
    QProcess cli;
    cli.start(QStringLiteral("redis-cli"), QStringList{QStringLiteral("-s"), socketPath()} + arguments);
    cli.waitForFinished(30000);
    QByteArray out = cli.readAllStandardOutput();
    if (out.endsWith('\n'))
        out.chop(1);
    return out;
}

bool RedisServer::launch()
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("redis-server"));
    if (program.isEmpty()) {
        m_error = QStringLiteral("redis-server is not installed");
        return false;
    }
    if (m_options.tcp && m_port == 0) {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost, 0);
        m_port = probe.serverPort();
    }
    QStringList arguments{QStringLiteral("--port"), QString::number(m_port), QStringLiteral("--bind"), QStringLiteral("127.0.0.1"),
                          QStringLiteral("--unixsocket"), socketPath(), QStringLiteral("--dir"), m_folder.path(),
                          QStringLiteral("--save"), QString(), QStringLiteral("--appendonly"),
                          m_options.appendOnly ? QStringLiteral("yes") : QStringLiteral("no")};
    arguments += m_options.extra;
    m_error.clear();
    QFile::remove(socketPath());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &variable : m_options.environment)
        environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    dieWithTest(&m_process);
    m_process.start(program, arguments);
    QByteArray log;
    while (!log.contains("eady to accept connections at") && m_process.state() != QProcess::NotRunning) {
        if (!m_process.waitForReadyRead(20000))
            break;
        log += m_process.readAll();
    }
    if (!log.contains("eady to accept connections at")) {
        m_error = QStringLiteral("redis-server did not start: ") + QString::fromUtf8(log.right(500));
        return false;
    }
    return true;
}

} // namespace ym::test
