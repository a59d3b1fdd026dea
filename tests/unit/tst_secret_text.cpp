// Which names say that their values are secret, and texts from which such values are taken out.
#include "core/job/secret_text.h"

#include <QTest>

using namespace ym;

class TestSecretText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesSaySo_data()
    {
        QTest::addColumn<bool>("isSecret");
        for (const char *const name : {"API_KEY", "apikey", "Secret", "GITHUB_TOKEN", "DB_PASS", "password",
                                       "MYSQL_PWD", "AWS_CREDENTIALS", "BASIC_AUTH", "Authorization"})
            QTest::newRow(name) << true;
        for (const char *const name : {"DAY", "PWD", "OLDPWD", "GIT_AUTHOR_NAME", "HOME", ""})
            QTest::newRow(*name ? name : "no name") << false;
    }
    void namesSaySo()
    {
        QFETCH(bool, isSecret);
        const QByteArray name = QTest::currentDataTag();
        QCOMPARE(namesSecret(name == "no name" ? QByteArray() : name), isSecret);
    }

    void secretsAreTakenOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("clean");
        const auto row = [](const char *name, QByteArray text, QByteArray clean) { // ' for ", to be read
            QTest::newRow(name) << text.replace('\'', '"') << clean.replace('\'', '"');
        };
        const auto same = [&row](const char *name, const QByteArray &text) { row(name, text, text); };
        row("one among others", "{'DAY':'1','API_KEY':'hunter2', 'Z': 'z'}",
            "{'DAY':'1','API_KEY':'********', 'Z': 'z'}");
        row("an escaped quote in it", "{'TOKEN':'hun\\'ter2','A':'b'}", "{'TOKEN':'********','A':'b'}");
        row("an escape in the name", "{'API_K\\u0045Y':'hunter2'}", "{'API_K\\u0045Y':'********'}");
        row("a number", "{'pass': 4711 , 'a':1}", "{'pass': '********', 'a':1}");
        row("everything in it", "{'auth':{'user':'u','code':['h','2']},'a':1}", "{'auth':'********','a':1}");
        row("deeper", "{'env':[{'TOKEN':'hunter2'}]}", "{'env':[{'TOKEN':'********'}]}");
        row("two of them", "{'TOKEN':'h','KEY':'i'}", "{'TOKEN':'********','KEY':'********'}");
        row("cut in the value", "{'TOKEN':'hunt", "{'TOKEN':'********'");
        row("cut in an escape", "{'TOKEN':'hunt\\", "{'TOKEN':'********'");
        row("a bracket too many", "{'TOKEN':hunter2}}}", "{'TOKEN':'********'}}}");
        row("white space before", "\n {'TOKEN' :\t'h'}", "\n {'TOKEN' :\t'********'}");
        same("an empty one", "{'TOKEN':''}");
        same("none", "{'TOKEN':null,'DAY':'1'}");
        same("cut in the name", "{'TOK");
        same("cut before the value", "{'TOKEN':");
        same("no object", "print({'TOKEN':'hunter2'})");
        same("nothing", "");
        same("bytes that are no text", "{\xff\xfe'");
    }
    void secretsAreTakenOut()
    {
            QFETCH(QByteArray, text);
            QFETCH(QByteArray, clean);
            QCOMPARE(withoutSecrets(text), clean);
            for (qsizetype cut = 0; cut < text.size();
                 ++cut) // wherever it is cut, it ends and tells no more than the whole
                QVERIFY(!withoutSecrets(text.first(cut)).contains("unter2") || clean.contains("unter2"));
    }
    };

    QTEST_GUILESS_MAIN(TestSecretText)
#include "tst_secret_text.moc"
