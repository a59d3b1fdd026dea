// The real window on a store full of what others may leave there (RELIABILITY 9, Data in Redis): every page and every
// tab of every job is painted, and nothing is taken for markup.
#include "models/job_fields_model.h"
#include "tests/support/bad_data.h"
#include "tests/support/fake_prompts.h"
#include "tests/support/redis_server.h"
#include "tests/support/resp_connection.h"
#include "tests/ui/real_window.h"

#include <QAbstractItemDelegate>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QTableView>
#include <QToolTip>

using namespace ym;
using namespace ym::test;

class TestBadData : public QObject {
    Q_OBJECT

    static int records()
    {
        int count = 0;
        for (const BadData &row : badJobs())
            count += row.isRecord ? 1 : 0;
        return count;
    }
    static void noLabelIsMarkup(const QWidget *window)
    {
        for (const QLabel *label : window->findChildren<QLabel *>()) {
            const bool isToolTip = label->objectName() == QLatin1String("qtooltip_label"); // looked at by isShownAsText()
            QVERIFY2(isToolTip || label->textFormat() == Qt::PlainText || label->text().isEmpty(), qPrintable(label->objectName()));
        }
    }

    /// The tool tip over a cell, as it pops up.
    static bool isShownAsText(QTableView *table, const QModelIndex &index)
    {
        QHelpEvent help(QEvent::ToolTip, {}, table->viewport()->mapToGlobal(QPoint(5, 5)));
        table->itemDelegate()->helpEvent(&help, table, QStyleOptionViewItem(), index);
        return QToolTip::text().contains(QStringLiteral("&lt;img")) && !QToolTip::text().contains(QStringLiteral("<img"));
    }

private Q_SLOTS:
    void theWindowShowsThemAll()
    {
        RedisServer server;
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection connection(server.socketPath());
        for (const auto *rows : {&badJobs(), &badSurroundings()}) {
            for (const BadData &row : *rows) {
                for (const Command &command : row.commands)
                    connection.ask({command.args});
            }
        }
        FakePrompts prompts;
        RealWindow real;
        Profile profile;
        profile.name = QStringLiteral("<b>hostile</b> %1");
        profile.url = server.url();
        real.open(profile);
        QTRY_COMPARE_WITH_TIMEOUT(real.jobs()->rowCount(), records(), 30'000);

        auto *const fields = qobject_cast<JobFieldsModel *>(child<QTableView>(&real.window, "rawTable")->model());
        QVERIFY(fields);
        QElapsedTimer timer;
        qint64 slowest = 0;
        for (const BadData &row : badJobs()) {
            if (!row.isRecord)
                continue;
            real.window.workspace()->chooseJob(row.job);
            if (!row.job.isEmpty()) // no id is no choice
                QTRY_VERIFY2_WITH_TIMEOUT(fields->jobId() == row.job && fields->rowCount() > 0, row.name.constData(), 20'000);
            for (int tab = 0; tab < 5; ++tab) {
                timer.start();
                real.window.showDetailTab(tab);
                real.window.grab();
                slowest = std::max(slowest, timer.elapsed());
            }
        }
        qInfo("%d jobs, the slowest tab took %lld ms", records(), slowest);
        int markup = 0;
        for (const PageId page : {PageId::Queues, PageId::Workers, PageId::Jobs}) {
            real.window.showPage(page);
            QTRY_VERIFY(real.window.workspace()->current()->queues->rowCount() > 0);
            for (const QTableView *table : real.window.findChildren<QTableView *>()) {
                for (int row = 0; table->isVisible() && table->model() && row < table->model()->rowCount(); ++row) {
                    const_cast<QTableView *>(table)->selectRow(row);
                    for (int column = 0; column < table->model()->columnCount(); ++column) {
                        const QModelIndex index = table->model()->index(row, column);
                        QVERIFY(index.data().toString().size() <= 10'000);
                        if (index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("<img")))
                            markup += isShownAsText(const_cast<QTableView *>(table), index) ? 1 : -1'000'000;
                    }
                }
            }
            real.window.grab();
            noLabelIsMarkup(&real.window);
        }
        QVERIFY2(markup > 0, QByteArray::number(markup).constData());
    }

    /// D25: the status changes while the person is asked.
    void aJobThatMovesOnMeanwhileIsNotRequeued()
    {
        RedisServer server;
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        server.cli({"hset", "hero:job:moving", "id", "moving", "script_type", "python", "script", "1", "status", "started"});
        FakePrompts prompts;
        prompts.meanwhile = [&server] { server.cli({"hset", "hero:job:moving", "status", "finished"}); };
        RealWindow real;
        Profile profile;
        profile.name = QStringLiteral("moving");
        profile.url = server.url();
        real.open(profile);
        QTRY_COMPARE(real.jobs()->rowCount(), 1);
        child<QTableView>(&real.window, "jobTable")->selectRow(0);
        real.window.actions()->refreshNow();
        QTRY_VERIFY(real.window.actions()->action("job.requeue")->isEnabled());
        real.trigger("job.requeue");
        QCOMPARE(prompts.questions.size(), 1);
        const auto told = [&real] {
            const QLabel *const notice = real.window.findChild<QLabel *>(QStringLiteral("noticeText"));
            return notice && notice->text().contains(QStringLiteral("1 failed"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(told(), 10'000);
        QCOMPARE(server.cli({"hget", "hero:job:moving", "status"}), QByteArray("finished"));
        QCOMPARE(server.cli({"exists", "hero:q:work:type:python"}), QByteArray("0"));
        QTRY_COMPARE(real.stateOf("moving"), JobState::Finished);
    }
};

QTEST_MAIN(TestBadData)
#include "tst_bad_data.moc"
