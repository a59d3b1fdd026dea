// Every input that the dispatcher's fuzzer found worth keeping runs again, with its check that the recorded effects make
// the same keys.
#include "tests/fuzz/fuzz_dispatcher.cpp"

#include <QDir>
#include <QTest>

class TestDispatcherCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void survives_data();
    void survives();
};

void TestDispatcherCorpus::survives_data()
{
    QTest::addColumn<QString>("path");
    const QDir corpus(QStringLiteral(YM_FUZZ_CORPUS "/dispatcher"));
    const QStringList names = corpus.entryList(QDir::Files);
    QVERIFY(!names.isEmpty());
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << corpus.filePath(name);
}

void TestDispatcherCorpus::survives()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QCOMPARE(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.constData()), size_t(bytes.size())), 0);
}

QTEST_GUILESS_MAIN(TestDispatcherCorpus)
#include "tst_dispatcher_corpus.moc"
