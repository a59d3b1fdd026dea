// AttachedClientModel: what is shown of a client, and that rows come, change and go without a reset.
#include "models/attached_client_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ym;

namespace {

AttachedClient client(qint64 id, const QByteArray &name)
{
    AttachedClient made;
    made.id = id;
    made.name = name;
    return made;
}

QString text(const AttachedClientModel &model, int row, AttachedClientModel::Column column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestAttachedClientModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClientIsShownInWords();
    void textOfAClientIsEscaped();
    void picturesAreMergedById();
};

void TestAttachedClientModel::aClientIsShownInWords()
{
    AttachedClientModel model;
    AttachedClient full = client(3, "worker");
    full.address = "127.0.0.1:40312";
    full.age = 3'720;
    full.idle = 5;
    full.lastCommand = "brpop";
    full.isBlocked = true;
    AttachedClient listener = client(4, {});
    listener.channelCount = 2;
    model.setClients({full, listener});
    QCOMPARE(text(model, 0, AttachedClientModel::Name), QStringLiteral("worker"));
    QCOMPARE(text(model, 0, AttachedClientModel::Address), QStringLiteral("127.0.0.1:40312"));
    QVERIFY(text(model, 0, AttachedClientModel::Age).contains(QLatin1String("1 h")));
    QVERIFY(text(model, 0, AttachedClientModel::Idle).contains(QLatin1String("5 s")));
    QCOMPARE(text(model, 0, AttachedClientModel::LastCommand), QStringLiteral("BRPOP"));
    QCOMPARE(text(model, 0, AttachedClientModel::Condition), QStringLiteral("Waiting"));
    QCOMPARE(text(model, 1, AttachedClientModel::Name), QStringLiteral("Client 4"));
    QCOMPARE(text(model, 1, AttachedClientModel::Address), QStringLiteral("Unix socket"));
    QCOMPARE(text(model, 1, AttachedClientModel::Condition), QStringLiteral("Listening to 2"));
}

void TestAttachedClientModel::textOfAClientIsEscaped()
{
    AttachedClientModel model;
    model.setClients({client(1, QByteArray("a\nb\x1b[31m\xff", 9))});
    const QString name = text(model, 0, AttachedClientModel::Name);
    QVERIFY2(!name.contains(u'\n') && !name.contains(QChar(0x1b)), qPrintable(name));
}

void TestAttachedClientModel::picturesAreMergedById()
{
    AttachedClientModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setClients({client(5, "five"), client(2, "two")});
    QCOMPARE(model.idAt(0), 2);
    QCOMPARE(model.idAt(1), 5);
    QCOMPARE(model.idAt(2), 0);
    model.setClients({client(2, "two"), client(4, "four"), client(5, "renamed")});
    QCOMPARE(inserted.size(), 2);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(text(model, 2, AttachedClientModel::Name), QStringLiteral("renamed"));
    model.setClients({client(4, "four")});
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(removed.size(), 2);
    QVERIFY(resets.isEmpty());
}

QTEST_GUILESS_MAIN(TestAttachedClientModel)
#include "tst_attached_client_model.moc"
