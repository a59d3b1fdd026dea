// The connection dialog with real keys: addresses in every form, passwords, the test, saving.
#include "tests/ui/dialog_window.h"
#include "ui/dialogs/connection_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

using namespace ym;
using namespace ym::test;

namespace {

class Window {
public:
    Window()
        : dialog(&connections)
    {
    }
    void create()
    {
        dialog.create();
        showActive(&dialog);
    }
    QLineEdit *line(const QByteArray &name) { return child<QLineEdit>(&dialog, name.constData()); }
    QString reason() { return child<QLabel>(&dialog, "reason")->text(); }
    bool canSave() { return child<QPushButton>(&dialog, "save")->isEnabled(); }
    void fill(const QByteArray &name, const QString &text)
    {
        line(name)->setFocus();
        line(name)->selectAll();
        press(Qt::Key_Delete);
        type(text);
    }
    void paste(const char *name, const QString &text)
    {
        QGuiApplication::clipboard()->setText(text);
        line(name)->setFocus();
        line(name)->selectAll();
        press(Qt::Key_V, Qt::ControlModifier);
    }
    Profile saved()
    {
        for (const Profile &profile : connections.profiles()) {
            if (profile.id != QLatin1String(localProfileId))
                return profile;
        }
        return {};
    }

    FakeConnections connections;
    ConnectionDialog dialog;
};

} // namespace

class TestConnectionDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNewConnectionIsSavedByEnter()
    {
        Window w;
        w.create();
        QSignalSpy saved(&w.dialog, &ConnectionDialog::saved);
        QVERIFY(!w.canSave());
        w.fill("host", QStringLiteral("db.example.org"));
        QVERIFY2(w.canSave(), qPrintable(w.reason()));
        press(Qt::Key_Return);
        QCOMPARE(saved.size(), 1);
        QVERIFY(!w.dialog.isVisible());
        QCOMPARE(w.saved().url, QStringLiteral("redis://db.example.org"));
        QCOMPARE(w.saved().name, QStringLiteral("db.example.org"));
    }

    void aTypedNameIsKeptWhenTheAddressChanges()
    {
        Window w;
        w.create();
        w.fill("name", QStringLiteral("Shop"));
        w.fill("host", QStringLiteral("a"));
        QCOMPARE(w.line("name")->text(), QStringLiteral("Shop"));
    }

    void aPastedUrlFillsTheFieldsAndHidesItsPassword()
    {
        Window w;
        w.create();
        w.paste("url", QStringLiteral("rediss://ann:s3cret%21@db.example.org:6390/7?insecure=1&sni=cache"));
        QCOMPARE(child<QComboBox>(&w.dialog, "kind")->currentIndex(), 2);
        QCOMPARE(w.line("host")->text(), QStringLiteral("db.example.org"));
        QCOMPARE(child<QSpinBox>(&w.dialog, "port")->value(), 6390);
        QCOMPARE(child<QSpinBox>(&w.dialog, "database")->value(), 7);
        QCOMPARE(w.line("user")->text(), QStringLiteral("ann"));
        QCOMPARE(w.line("password")->text(), QStringLiteral("s3cret!"));
        QCOMPARE(w.line("serverName")->text(), QStringLiteral("cache"));
        QVERIFY(child<QCheckBox>(&w.dialog, "insecure")->isChecked());
        QVERIFY(!w.line("url")->text().contains(QStringLiteral("s3cret")));
        QVERIFY(w.line("url")->text().contains(QStringLiteral("ann@db.example.org:6390/7")));
        QCOMPARE(w.line("password")->echoMode(), QLineEdit::Password);
        click<QPushButton>(&w.dialog, "save");
        QCOMPARE(w.connections.password(w.saved().id), std::optional(QStringLiteral("s3cret!")));
        QVERIFY(!w.saved().url.contains(QStringLiteral("s3cret")));
    }

    void fieldsWriteTheUrl()
    {
        Window w;
        w.create();
        w.fill("host", QStringLiteral("::1"));
        child<QSpinBox>(&w.dialog, "port")->setValue(7000);
        QCOMPARE(w.line("url")->text(), QStringLiteral("redis://[::1]:7000"));
        child<QComboBox>(&w.dialog, "kind")->setCurrentIndex(3);
        w.fill("path", QStringLiteral("/run/redis/my socket"));
        QCOMPARE(w.line("url")->text(), QStringLiteral("unix:/run/redis/my%20socket"));
        child<QComboBox>(&w.dialog, "kind")->setCurrentIndex(4);
        QCOMPARE(w.line("url")->text(), QStringLiteral("memory:"));
        QVERIFY2(w.canSave(), qPrintable(w.reason()));
    }

    void badAddressesAreRefusedWithAReason_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("two ports") << "redis://localhost:6379:1";
        QTest::newRow("an open bracket") << "redis://[::1";
        QTest::newRow("port 0") << "redis://localhost:0";
        QTest::newRow("port 65536") << "redis://localhost:65536";
        QTest::newRow("port abc") << "redis://localhost:abc";
        QTest::newRow("database -1") << "redis://localhost/-1";
        QTest::newRow("an at sign in the password") << "redis://user:p@ss@h";
        QTest::newRow("another scheme") << "http://localhost";
        QTest::newRow("no host") << "redis://";
        QTest::newRow("blanks only") << "   ";
        QTest::newRow("an unknown parameter") << "redis://localhost?x=1";
    }
    void badAddressesAreRefusedWithAReason()
    {
        QFETCH(QString, url);
        Window w;
        w.create();
        w.paste("url", url);
        QVERIFY(!w.canSave());
        QVERIFY(!w.reason().isEmpty());
        QVERIFY(!w.reason().contains(QStringLiteral("ss@h")));
        QVERIFY(!child<QPushButton>(&w.dialog, "test")->isEnabled());
        press(Qt::Key_Return);
        QVERIFY(w.dialog.isVisible());
    }

    void badFieldsAreRefusedWithAReason_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("a host with a blank") << 1 << QByteArray("host") << "my host";
        QTest::newRow("a host with two ports") << 1 << QByteArray("host") << "localhost:6379:1";
        QTest::newRow("a host with a path") << 1 << QByteArray("host") << "localhost/3";
        QTest::newRow("a relative socket") << 3 << QByteArray("path") << "redis.sock";
        QTest::newRow("a socket path that is too long") << 3 << QByteArray("path") << "/" + QString(120, u'x');
        QTest::newRow("a relative folder") << 0 << QByteArray("folder") << "jobs";
        QTest::newRow("a CA file that is not there") << 2 << QByteArray("ca") << "/no/such/file.pem";
    }
    void badFieldsAreRefusedWithAReason()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, field);
        QFETCH(QString, text);
        Window w;
        w.create();
        child<QComboBox>(&w.dialog, "kind")->setCurrentIndex(kind);
        if (field == "ca")
            w.fill("host", QStringLiteral("localhost"));
        w.fill(field, text);
        QVERIFY(!w.canSave());
        QVERIFY(!w.reason().isEmpty());
        const QString line = QString::fromLatin1(field) + (field == "host" ? "Line" : "FieldLine");
        QCOMPARE(w.dialog.findChild<QLabel *>(line)->text(), w.reason());
    }

    void aNameOfBlanksIsRefusedAndALongOneCut()
    {
        Window w;
        w.create();
        w.fill("host", QStringLiteral("localhost"));
        w.fill("name", QStringLiteral("   "));
        QVERIFY(!w.canSave());
        w.paste("name", QString(10000, u'n'));
        QVERIFY(w.canSave());
        QCOMPARE(w.line("name")->text().size(), 80);
    }

    void hostAndPortTypedTogetherAreTakenApart()
    {
        Window w;
        w.create();
        w.fill("host", QStringLiteral("localhost:6380"));
        QCOMPARE(w.line("host")->text(), QStringLiteral("localhost"));
        QCOMPARE(child<QSpinBox>(&w.dialog, "port")->value(), 6380);
    }

    void certificateAndKeyGoTogether()
    {
        QTemporaryDir folder;
        QFile certificate(folder.filePath(QStringLiteral("c.pem")));
        QVERIFY(certificate.open(QIODevice::WriteOnly));
        certificate.close();
        Window w;
        w.create();
        child<QComboBox>(&w.dialog, "kind")->setCurrentIndex(2);
        w.fill("host", QStringLiteral("localhost"));
        w.fill("certificate", certificate.fileName());
        QVERIFY(!w.canSave());
        w.fill("key", certificate.fileName());
        QVERIFY2(w.canSave(), qPrintable(w.reason()));
    }

    void theTestSaysWhatIsThere()
    {
        Window w;
        w.connections.setTestAnswer(QStringLiteral("redis 7.0.15, 12 keys"));
        w.create();
        w.fill("host", QStringLiteral("localhost"));
        click<QPushButton>(&w.dialog, "test");
        QTRY_COMPARE(child<QLabel>(&w.dialog, "testResult")->text(), QStringLiteral("redis 7.0.15, 12 keys"));
        QCOMPARE(w.connections.testedProfiles().size(), 1);
        QVERIFY(w.dialog.isVisible());
        w.fill("host", QStringLiteral("elsewhere"));
        QVERIFY(child<QLabel>(&w.dialog, "testResult")->isHidden());
    }

    void aFailedTestSaysWhatToDo()
    {
        Window w;
        w.connections.setTestAnswer(failure(ErrorKind::Authentication, QStringLiteral("The password is wrong."),
                                            QStringLiteral("Type it again.")));
        w.create();
        w.fill("host", QStringLiteral("localhost"));
        click<QPushButton>(&w.dialog, "test");
        QTRY_COMPARE(child<QLabel>(&w.dialog, "testResult")->text(),
                     QStringLiteral("The password is wrong. Type it again."));
    }

    void editingKeepsTheStoredPasswordUnlessAnotherIsTyped()
    {
        Window w;
        Profile profile;
        profile.name = QStringLiteral("Shop");
        profile.url = QStringLiteral("redis://ann@localhost:6380/2");
        profile.colour = QStringLiteral("#3c9a4e");
        profile.order = ServingOrder::Lifo;
        profile.readOnly = true;
        profile.id = w.connections.save(profile, QStringLiteral("old"));
        w.dialog.edit(profile);
        showActive(&w.dialog);
        QCOMPARE(w.line("password")->text(), QString());
        w.fill("name", QStringLiteral("Shop 2"));
        click<QPushButton>(&w.dialog, "save");
        Profile expected = profile;
        expected.name = QStringLiteral("Shop 2");
        QCOMPARE(w.saved(), expected);
        QCOMPARE(w.connections.password(profile.id), std::optional(QStringLiteral("old")));

        w.dialog.edit(w.saved());
        showActive(&w.dialog);
        w.fill("password", QStringLiteral("new"));
        press(Qt::Key_Return);
        QCOMPARE(w.connections.password(profile.id), std::optional(QStringLiteral("new")));
    }

    void theLocalWorkspaceKeepsItsPlace()
    {
        Window w;
        const Profile local = w.connections.profiles().first();
        w.dialog.edit(local);
        showActive(&w.dialog);
        QVERIFY(!child<QComboBox>(&w.dialog, "kind")->isEnabled());
        w.fill("name", QStringLiteral("Mine"));
        QVERIFY2(w.canSave(), qPrintable(w.reason()));
        press(Qt::Key_Return);
        Profile expected = local;
        expected.name = QStringLiteral("Mine");
        QCOMPARE(w.connections.profiles().first(), expected);
    }

    void aDesktopWithoutKeychainIsSaid()
    {
        Window w;
        w.connections.setKeepsSecrets(false);
        w.create();
        QVERIFY(
            w.dialog.findChild<QLabel *>(QStringLiteral("passwordLine"))->text().contains(QStringLiteral("keychain")));
    }

    void markAndRightsAreSaved()
    {
        Window w;
        w.create();
        w.fill("host", QStringLiteral("localhost"));
        click<QToolButton>(&w.dialog, "colourd64545");
        child<QCheckBox>(&w.dialog, "production")->setFocus();
        press(Qt::Key_Space);
        child<QComboBox>(&w.dialog, "order")->setFocus();
        press(Qt::Key_Down);
        click<QPushButton>(&w.dialog, "save");
        QCOMPARE(w.saved().colour, QStringLiteral("#d64545"));
        QVERIFY(w.saved().production);
        QVERIFY(!w.saved().readOnly);
        QCOMPARE(w.saved().order, ServingOrder::Lifo);
    }

    void escapeSavesNothing()
    {
        Window w;
        w.create();
        w.fill("host", QStringLiteral("localhost"));
        press(Qt::Key_Escape);
        QVERIFY(!w.dialog.isVisible());
        QCOMPARE(w.connections.profiles().size(), 1);
    }
};

QTEST_MAIN(TestConnectionDialog)
#include "tst_connection_dialog.moc"
