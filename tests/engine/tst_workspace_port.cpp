// The loopback port of the Local workspace: switched on by a person, there again after a restart, never without its
// password.
#include "core/engine/engine_connections.h"

#include "tests/support/memory_secrets.h"

#include <QSignalSpy>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int patienceMs = 20'000;
const QString local = QString::fromLatin1(localProfileId);

/// The application's connections on a home of their own; the folder outlives a restart.
class App {
public:
    App(const QTemporaryDir &home, MemorySecrets *secrets)
        : connections({{home.filePath(QStringLiteral("config")), home.filePath(QStringLiteral("data"))}}, secrets)
    {
        session = connections.open(local);
        if (!QTest::qWaitFor([this] { return state().host == AttachState::Host::Here; }, patienceMs))
            qFatal("the workspace was not opened");
    }

    template <typename T> static T valueOf(const QFuture<Result<T>> &future)
    {
        if (!QTest::qWaitFor([&] { return future.isFinished(); }, patienceMs))
            qFatal("no answer came");
        if (!future.result())
            qFatal("%s", qPrintable(future.result().error().text()));
        return *future.result();
    }
    AttachState state() const
    {
        const QFuture<Result<AttachState>> asked = session->attachState();
        if (!QTest::qWaitFor([&] { return asked.isFinished(); }, patienceMs))
            qFatal("no answer came");
        return asked.result().value_or(AttachState{});
    }

    EngineConnections connections;
    Session *session;
};

/// What the port answers to these words.
QByteArray say(quint16 port, const QByteArray &words)
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), port);
    socket.write(words);
    QByteArray answer;
    const bool isOver = QTest::qWaitFor(
        [&] {
            answer += socket.readAll();
            return answer.count("\r\n") >= words.count("\r\n") || socket.state() == QAbstractSocket::UnconnectedState;
        },
        patienceMs);
    return isOver ? answer : QByteArray("no answer in time");
}

} // namespace

class TestWorkspacePort : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void socketIsThereAndThePortIsNot();
    void portWantsItsPassword();
    void portIsThereAgainAfterARestart();
    void newPasswordTakesTheOldOnesPlace();
    void takenPortIsToldAndTheWorkspaceWorks();
    void clientsAreListedAndCut();
};

void TestWorkspacePort::socketIsThereAndThePortIsNot()
{
    const QTemporaryDir home;
    MemorySecrets secrets;
    const App app(home, &secrets);
    const AttachState state = app.state();
    QCOMPARE(state.host, AttachState::Host::Here);
    QVERIFY(!state.socket.isEmpty());
    QCOMPARE(state.port, quint16(0));
    QVERIFY(state.clients.isEmpty());
}

void TestWorkspacePort::portWantsItsPassword()
{
    const QTemporaryDir home;
    MemorySecrets secrets;
    App app(home, &secrets);
    const quint16 port = App::valueOf(app.connections.setPort(local, true, 0));
    QVERIFY(port != 0);
    QCOMPARE(app.state().port, port);
    const PortAccess access = App::valueOf(app.connections.portAccess(local));
    QCOMPARE(access.port, port);
    QVERIFY(access.password.size() >= 32);
    QVERIFY(say(port, "PING\r\n").startsWith("-NOAUTH"));
    QVERIFY(say(port, "AUTH wrong\r\n").startsWith("-WRONGPASS"));
    QCOMPARE(say(port, "AUTH " + access.password.toUtf8() + "\r\nPING\r\n"), QByteArray("+OK\r\n+PONG\r\n"));
    App::valueOf(app.connections.setPort(local, false, port));
    QCOMPARE(app.state().port, quint16(0));
    QVERIFY(say(port, "PING\r\n").isEmpty());
}

void TestWorkspacePort::portIsThereAgainAfterARestart()
{
    const QTemporaryDir home;
    MemorySecrets secrets;
    quint16 port = 0;
    QString password;
    {
        App app(home, &secrets);
        port = App::valueOf(app.connections.setPort(local, true, 0));
        password = App::valueOf(app.connections.portAccess(local)).password;
    }
    const App app(home, &secrets);
    QTRY_COMPARE_WITH_TIMEOUT(app.state().port, port, patienceMs);
    QCOMPARE(say(port, "AUTH " + password.toUtf8() + "\r\n"), QByteArray("+OK\r\n"));
    QFile profiles(home.filePath(QStringLiteral("config/connections.json")));
    QVERIFY(profiles.open(QIODevice::ReadOnly));
    QVERIFY(!profiles.readAll().contains(password.toUtf8()));
}

void TestWorkspacePort::newPasswordTakesTheOldOnesPlace()
{
    const QTemporaryDir home;
    MemorySecrets secrets;
    App app(home, &secrets);
    const quint16 port = App::valueOf(app.connections.setPort(local, true, 0));
    const QString old = App::valueOf(app.connections.portAccess(local)).password;
    const QString fresh = App::valueOf(app.connections.renewPortPassword(local));
    QVERIFY(fresh != old);
    QCOMPARE(app.state().port, port);
    QVERIFY(say(port, "AUTH " + old.toUtf8() + "\r\n").startsWith("-WRONGPASS"));
    QCOMPARE(say(port, "AUTH " + fresh.toUtf8() + "\r\n"), QByteArray("+OK\r\n"));
}

void TestWorkspacePort::takenPortIsToldAndTheWorkspaceWorks()
{
    const QTemporaryDir home;
    const QTemporaryDir other;
    MemorySecrets secrets;
    App first(home, &secrets);
    const quint16 port = App::valueOf(first.connections.setPort(local, true, 0));
    App second(other, &secrets);
    const QFuture<Result<quint16>> refused = second.connections.setPort(local, true, port);
    QVERIFY(QTest::qWaitFor([&] { return refused.isFinished(); }, patienceMs));
    QCOMPARE(refused.result().error().kind, ErrorKind::Conflict);
    QVERIFY(second.state().portTrouble.contains(QString::number(port)));
    QCOMPARE(second.session->state().phase, ConnectionState::Phase::Ready);
}

void TestWorkspacePort::clientsAreListedAndCut()
{
    const QTemporaryDir home;
    MemorySecrets secrets;
    App app(home, &secrets);
    QSignalSpy changes(app.session, &Session::attachChanged);
    const quint16 port = App::valueOf(app.connections.setPort(local, true, 0));
    const QByteArray password = App::valueOf(app.connections.portAccess(local)).password.toUtf8();
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), port);
    socket.write("AUTH " + password + "\r\nCLIENT SETNAME reporter\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(app.state().clients.size() == 1 && app.state().clients[0].name == "reporter", patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!changes.isEmpty(), patienceMs);
    QVERIFY(app.state().clients[0].address.startsWith("127.0.0.1:"));
    QCOMPARE(App::valueOf(app.session->cutClient(app.state().clients[0].id)), true);
    QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(app.state().clients.isEmpty(), patienceMs);
}

QTEST_GUILESS_MAIN(TestWorkspacePort)
#include "tst_workspace_port.moc"
