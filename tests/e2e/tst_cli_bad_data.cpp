// The command line on a store full of what others may leave there (RELIABILITY 9, Data in Redis): every command ends by
// itself, says what it sees, and its JSON is JSON.
#include "tests/support/bad_data.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/resp_connection.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace ym;
using namespace ym::test;

class TestCliBadData : public QObject {
    Q_OBJECT

    RedisServer m_server;
    Program m_program;

    Ended run(const QStringList &arguments) const
    {
        Ended ended = m_program.run(arguments);
        if (ended.code != 0 && ended.code != 1)
            qWarning("%s", ended.all().constData());
        return ended;
    }
    /// Ids that can be an argument: no NUL, text, not too long for an argument, no option.
    static bool isArgument(const QByteArray &id)
    {
        return !id.isEmpty() && !id.contains('\0') && QString::fromUtf8(id).toUtf8() == id && id.size() < 100'000;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        m_program.setVariable(QStringLiteral("YARDMASTER_STORE"), m_server.url());
        RespConnection connection(m_server.socketPath());
        for (const auto *rows : {&badJobs(), &badSurroundings()}) {
            for (const BadData &row : *rows) {
                for (const Command &command : row.commands)
                    QVERIFY2(!connection.ask({command.args}).front().isError(), row.name.constData());
            }
        }
    }

    void listsTellOfEverything()
    {
        int records = 0;
        for (const BadData &row : badJobs())
            records += row.isRecord ? 1 : 0;
        const Ended jobs = run({QStringLiteral("list"), QStringLiteral("--json")});
        QVERIFY2(jobs.code == 0 && jobs.json().isArray(), jobs.err.constData());
        const QJsonArray list = jobs.json().array();
        QCOMPARE(list.size(), records);
        for (qsizetype i = 1; i < list.size(); ++i) // D9: what has no readable time comes last
            QVERIFY2(!list[i - 1][u"created_at"].isNull() || list[i][u"created_at"].isNull(), QByteArray::number(i).constData());
        for (const char *what : {"queues", "workers"}) {
            const Ended ended = run({QLatin1String(what), QStringLiteral("--json")});
            QVERIFY2(ended.code == 0 && ended.json().isArray() && !ended.json().array().isEmpty(),
                     ended.err.constData());
        }
        for (const char *what : {"list", "queues", "workers"}) {
            const Ended ended = run({QLatin1String(what)});
            QVERIFY2(ended.code == 0 && !ended.out.isEmpty(), ended.err.constData());
            for (const char c : ended.out)
                QVERIFY2(c == '\n' || uchar(c) >= 0x20, "a control character reached the terminal");
        }
    }

    void everyJobIsShown()
    {
        for (const BadData &row : badJobs()) {
            if (!isArgument(row.job))
                continue;
            const QString id = QString::fromUtf8(row.job);
            const Ended shown = run({QStringLiteral("--json"), QStringLiteral("show"), QStringLiteral("--"), id});
            QVERIFY2(shown.code == (row.isRecord ? 0 : 1), (row.name + ": " + shown.err).constData());
            if (row.isRecord)
                QVERIFY2(shown.json().isObject(), row.name.constData());
            else
                QVERIFY2(!shown.err.isEmpty(), row.name.constData());
            const Ended text = run({QStringLiteral("show"), QStringLiteral("--"), id});
            QVERIFY2(text.code == (row.isRecord ? 0 : 1), (row.name + ": " + text.err).constData());
        }
    }

    void allAreRemoved()
    {
        QStringList ids;
        for (const BadData &row : badJobs()) {
            if (isArgument(row.job) && row.isRecord && row.job.size() < 1'000)
                ids.append(QString::fromUtf8(row.job));
        }
        for (const char *verb : {"stop", "remove"}) {
            const Ended ended =
                run(QStringList{QStringLiteral("--json"), QLatin1String(verb), QStringLiteral("--")} + ids);
            QVERIFY2(ended.code == 0 || ended.code == 1, ended.all().constData());
            QCOMPARE(ended.json().array().size(), ids.size());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliBadData)
#include "tst_cli_bad_data.moc"
