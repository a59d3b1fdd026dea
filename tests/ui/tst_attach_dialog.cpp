// The dialog that attaches other programs, with real clicks: what is copied, the port, who is in.
#include "tests/support/fake_prompts.h"
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/attach_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>

using namespace ym;
using namespace ym::test;

namespace {

const auto socketPath = QStringLiteral("/run/user/1000/yardmaster/default-3f2a91c04b7e.sock");

AttachState here()
{
    AttachState state;
    state.host = AttachState::Host::Here;
    state.socket = socketPath;
    return state;
}

AttachedClient client(qint64 id, const QByteArray &name)
{
    AttachedClient made;
    made.id = id;
    made.name = name;
    return made;
}

class Window {
public:
    explicit Window(const AttachState &state = here(), const PortAccess &access = {false, 0, QStringLiteral("secret")})
        : session(connections.fake())
    {
        session->setReady();
        connections.setPortAccess(access);
        session->setAttachState(state);
        dialog = std::make_unique<AttachDialog>(&connections, session, &store.settings);
        showActive(dialog.get());
    }

    QString shown(const char *line) const
    {
        return child<QLineEdit>(child<QWidget>(dialog.get(), line), "shown")->text();
    }
    QString copied(const char *line) const
    {
        QGuiApplication::clipboard()->clear();
        click<QPushButton>(child<QWidget>(dialog.get(), line), "copy");
        return QGuiApplication::clipboard()->text();
    }
    void clickSwitch() const
    {
        auto *const box = child<QCheckBox>(dialog.get(), "portSwitch");
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    }
    QTableView *table() const { return child<QTableView>(dialog.get(), "clientTable"); }
    QString note() const { return child<QLabel>(dialog.get(), "portNote")->text(); }

    TestSettings store;
    FakePrompts prompts;
    FakeConnections connections;
    FakeSession *session;
    std::unique_ptr<AttachDialog> dialog;
};

} // namespace

class TestAttachDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSocketIsShownAndCopied();
    void snippetsHoldTheSocket();
    void thePortIsClosedUntilItIsSwitchedOn();
    void thePasswordIsNeverShownButCopied();
    void aPortOfOnesOwnIsOpened();
    void aTakenPortSaysSo();
    void aNewPasswordIsAskedForFirst();
    void clientsComeAndGo();
    void aClientIsDisconnected();
    void aGuestSeesWhoHasTheWorkspace();
    void aWorkspaceThatIsNotOpenOffersNothing();
};

void TestAttachDialog::theSocketIsShownAndCopied()
{
    const Window window;
    QCOMPARE(window.shown("socketUrl"), QStringLiteral("unix:") + socketPath);
    QCOMPARE(window.copied("socketUrl"), QStringLiteral("unix:") + socketPath);
}

void TestAttachDialog::snippetsHoldTheSocket()
{
    AttachState state = here();
    state.socket = QStringLiteral("/tmp/it's here.sock");
    const Window window(state);
    auto *const tabs = child<QTabBar>(window.dialog.get(), "languages");
    const auto *const text = child<QPlainTextEdit>(window.dialog.get(), "snippet");
    for (int i = 0; i < tabs->count(); ++i) {
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
        QCOMPARE(tabs->currentIndex(), i);
        QVERIFY2(text->toPlainText().contains(QLatin1String("here.sock")), qPrintable(text->toPlainText()));
        click<QPushButton>(window.dialog.get(), "copySnippet");
        QCOMPARE(QGuiApplication::clipboard()->text().trimmed(), text->toPlainText());
    }
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    QCOMPARE(text->toPlainText(), QStringLiteral("redis-cli -s '/tmp/it'\\''s here.sock'"));
    tabs->setCurrentIndex(tabs->count() - 1);
    QCOMPARE(text->toPlainText(), QStringLiteral("yardmaster --store 'unix:/tmp/it'\\''s here.sock' list"));
}

void TestAttachDialog::thePortIsClosedUntilItIsSwitchedOn()
{
    const Window window;
    QVERIFY(!child<QCheckBox>(window.dialog.get(), "portSwitch")->isChecked());
    QVERIFY(!child<QPushButton>(child<QWidget>(window.dialog.get(), "portUrl"), "copy")->isEnabled());
    window.clickSwitch();
    QTRY_COMPARE(window.copied("portUrl"), QStringLiteral("redis://:secret@127.0.0.1:40123"));
    QVERIFY(window.connections.keptPort().isWanted);
    window.clickSwitch();
    QTRY_VERIFY(!child<QPushButton>(child<QWidget>(window.dialog.get(), "portUrl"), "copy")->isEnabled());
    QVERIFY(!window.connections.keptPort().isWanted);
}

void TestAttachDialog::thePasswordIsNeverShownButCopied()
{
    AttachState state = here();
    state.port = 46'379;
    const Window window(state, {true, 46'379, QStringLiteral("p@ss/word")});
    QCOMPARE(window.copied("portUrl"), QStringLiteral("redis://:p%40ss%2Fword@127.0.0.1:46379"));
    for (const QLineEdit *line : window.dialog->findChildren<QLineEdit *>())
        QVERIFY2(!line->text().contains(QLatin1String("word")), qPrintable(line->text()));
    QVERIFY(window.shown("portUrl").endsWith(QLatin1String("@127.0.0.1:46379")));
}

void TestAttachDialog::aPortOfOnesOwnIsOpened()
{
    const Window window;
    auto *const port = child<QSpinBox>(window.dialog.get(), "port");
    port->setFocus();
    port->selectAll();
    type(QStringLiteral("7001"));
    press(Qt::Key_Tab);
    QVERIFY(!window.connections.keptPort().isWanted); // a number alone opens nothing
    window.clickSwitch();
    QTRY_VERIFY(window.shown("portUrl").endsWith(QLatin1String(":7001")));
    QCOMPARE(window.connections.keptPort().port, quint16(7001));
}

void TestAttachDialog::aTakenPortSaysSo()
{
    Window window;
    window.connections.setPortFailure(Error{ErrorKind::Conflict, QStringLiteral("Port 7001 is taken."), {}, false});
    window.clickSwitch();
    QTRY_VERIFY(window.note().contains(QLatin1String("is taken")));
    window.connections.setPortFailure({});
    window.clickSwitch();
    window.clickSwitch();
    QTRY_VERIFY(window.note().isEmpty());
    QVERIFY(window.shown("portUrl").contains(QLatin1String("127.0.0.1")));
}

void TestAttachDialog::aNewPasswordIsAskedForFirst()
{
    AttachState state = here();
    state.port = 46'379;
    Window window(state, {true, 46'379, QStringLiteral("secret")});
    window.prompts.answer = -1;
    click<QPushButton>(window.dialog.get(), "renew");
    QCOMPARE(window.prompts.questions.size(), 1);
    QCOMPARE(window.copied("portUrl"), QStringLiteral("redis://:secret@127.0.0.1:46379"));
    window.prompts.answer = 0;
    click<QPushButton>(window.dialog.get(), "renew");
    QTRY_COMPARE(window.copied("portUrl"), QStringLiteral("redis://:fresh-password@127.0.0.1:46379"));
}

void TestAttachDialog::clientsComeAndGo()
{
    const Window window;
    QVERIFY(child<QLabel>(window.dialog.get(), "noClients")->isVisible());
    AttachState state = here();
    state.clients = {client(1, "sidekiq"), client(2, "<b>bold</b>")};
    state.clients[1].isBlocked = true;
    window.session->setAttachState(state);
    QTRY_COMPARE(window.table()->model()->rowCount(), 2);
    QVERIFY(window.table()->isVisible());
    QCOMPARE(window.table()->model()->index(1, 0).data().toString(), QStringLiteral("<b>bold</b>"));
    QCOMPARE(window.table()->model()->index(1, 5).data().toString(), QStringLiteral("Waiting"));
    QVERIFY(child<QLabel>(window.dialog.get(), "clientHeading")->text().contains(QLatin1String("2")));
    window.session->setAttachState(here());
    QTRY_COMPARE(window.table()->model()->rowCount(), 0);
    QVERIFY(child<QLabel>(window.dialog.get(), "noClients")->isVisible());
}

void TestAttachDialog::aClientIsDisconnected()
{
    AttachState state = here();
    state.clients = {client(11, "first"), client(12, "second")};
    const Window window(state);
    QTRY_COMPARE(window.table()->model()->rowCount(), 2);
    QVERIFY(!child<QPushButton>(window.dialog.get(), "disconnect")->isEnabled());
    const QRect row = window.table()->visualRect(window.table()->model()->index(1, 0));
    QTest::mouseClick(window.table()->viewport(), Qt::LeftButton, {}, row.center());
    click<QPushButton>(window.dialog.get(), "disconnect");
    QTRY_COMPARE(window.table()->model()->rowCount(), 1);
    QCOMPARE(window.session->requests("cutClient").size(), 1);
    QCOMPARE(window.session->requests("cutClient").constFirst().count, 12);
}

void TestAttachDialog::aGuestSeesWhoHasTheWorkspace()
{
    AttachState state = here();
    state.host = AttachState::Host::Elsewhere;
    state.hostPid = 4711;
    const Window window(state);
    QVERIFY(child<QLabel>(window.dialog.get(), "guestNote")->text().contains(QLatin1String("4711")));
    QVERIFY(!child<QCheckBox>(window.dialog.get(), "portSwitch")->isEnabled());
    QCOMPARE(window.copied("socketUrl"), QStringLiteral("unix:") + socketPath);
}

void TestAttachDialog::aWorkspaceThatIsNotOpenOffersNothing()
{
    const Window window(AttachState{});
    for (const char *line : {"socketUrl", "portUrl"})
        QVERIFY(!child<QPushButton>(child<QWidget>(window.dialog.get(), line), "copy")->isEnabled());
    QVERIFY(!child<QPushButton>(window.dialog.get(), "copySnippet")->isEnabled());
    QVERIFY(!child<QCheckBox>(window.dialog.get(), "portSwitch")->isEnabled());
}

QTEST_MAIN(TestAttachDialog)
#include "tst_attach_dialog.moc"
