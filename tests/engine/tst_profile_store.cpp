// Saved connections survive, damaged files are set aside and told, passwords are never in the file.
#include "core/engine/profile_store.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;

class TestProfileStore : public QObject {
    Q_OBJECT

    static Profile redisProfile()
    {
        Profile profile;
        profile.id = QStringLiteral("7");
        profile.name = QStringLiteral("Büro <b>&amp;");
        profile.url = QStringLiteral("redis://host:6380/2");
        profile.order = ServingOrder::Lifo;
        profile.keys = {KeyMode::Dual, LegacyQueue::Actor};
        profile.colour = QStringLiteral("#aa3311");
        profile.readOnly = true;
        profile.production = true;
        return profile;
    }

private Q_SLOTS:
    void withoutAFileThereIsTheLocalWorkspace()
    {
        QTemporaryDir folder;
        QString warning;
        const auto profiles = ProfileStore(folder.filePath("none/c.json")).load(&warning);
        QCOMPARE(profiles.size(), 1);
        QCOMPARE(profiles[0].id, QString::fromLatin1(localProfileId));
        QCOMPARE(profiles[0].url, QStringLiteral("embedded:"));
        QVERIFY(warning.isEmpty());
    }

    void whatWasSavedIsReadAgain()
    {
        QTemporaryDir folder;
        const ProfileStore store(folder.filePath("sub/c.json"));
        const QList<Profile> saved{ProfileStore::localProfile(), redisProfile()};
        QVERIFY(store.save(saved));
        QString warning;
        QCOMPARE(store.load(&warning), saved);
        QVERIFY(warning.isEmpty());
    }

    void aDamagedFileIsKeptAsideAndTold_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("garbage") << QByteArray("\x00\xff{{{");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << QByteArray("{\"version\":1,\"connections\":[{\"id\"");
        QTest::newRow("another type") << QByteArray("[1,2,3]");
    }
    void aDamagedFileIsKeptAsideAndTold()
    {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString path = folder.filePath("c.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QString warning;
        QCOMPARE(ProfileStore(path).load(&warning).size(), 1);
        QVERIFY(warning.contains(path + ".corrupt"));
        QFile kept(path + ".corrupt");
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), content);
    }

    void wrongTypesInsideAreToleratedAndTheLocalWorkspaceCannotBeRedirected()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("c.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray content = QByteArray("{'connections':[{'id':'local','name':'Mine','url':'redis://evil'},{'id':5,'url':[]},'text',{'id':'x','url':'memory:','readOnly':'yes'}]}").replace('\'', '"');
        file.write(content);
        file.close();
        QString warning;
        const auto profiles = ProfileStore(path).load(&warning);
        QCOMPARE(profiles.size(), 2);
        QCOMPARE(profiles[0].name, QStringLiteral("Mine"));
        QCOMPARE(profiles[0].url, QStringLiteral("embedded:"));
        QCOMPARE(profiles[1].readOnly, false);
    }
};

QTEST_GUILESS_MAIN(TestProfileStore)
#include "tst_profile_store.moc"
