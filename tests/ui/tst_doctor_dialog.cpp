// The window of what is stuck: what it shows, where its links and buttons lead, and that it follows the window.
#include "tests/support/window_fixture.h"
#include "ui/dialogs/doctor_dialog.h"
#include "ui/dialogs/start_worker_dialog.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace.h"

#include <QPushButton>
#include <QSignalSpy>

using namespace ym;
using namespace ym::test;

namespace {

Finding lateJobs()
{
    Finding late{"overtime", Finding::Severity::Problem, QStringLiteral("2 jobs run longer than they may."), {}};
    late.count = 2;
    late.remedy = {Remedy::Kind::Requeue, {"a", "b"}, {}};
    late.cases = {{"a", QStringLiteral("It has run for 2 d."), {Remedy::Kind::Requeue, {"a"}, {}}},
                  {"b", QStringLiteral("It has run for 3 d."), {Remedy::Kind::Requeue, {"b"}, {}}}};
    return late;
}

Examination somethingWrong()
{
    Examination examination;
    Finding unserved{"no_worker", Finding::Severity::Problem, QStringLiteral("Nobody serves q."), {}, "q"};
    unserved.remedy = {Remedy::Kind::StartWorker, {}, {"python", "gpu", {}, 1, {}}};
    examination.findings = {
        unserved, lateJobs(), {"store", Finding::Severity::Warning, QStringLiteral("Not durable."), {}}};
    examination.jobs[size_t(JobState::Running)] = 2;
    examination.queueCount = 1;
    return examination;
}

class Ward : public WindowFixture {
public:
    explicit Ward(const Examination &examination)
    {
        open();
        session()->setReady();
        session()->setExamination(examination);
        settle();
        action("view.doctor")->trigger();
        settle();
        dialog = window->findChild<DoctorDialog *>();
    }
    QList<QPushButton *> remedies() const
    {
        return dialog->findChildren<QPushButton *>(QStringLiteral("findingRemedy"));
    }
    QStringList texts() const
    {
        QStringList texts;
        for (const TextLabel *const label : dialog->findChildren<TextLabel *>(QStringLiteral("findingText")))
            texts.append(label->text());
        return texts;
    }
    QString summary() const { return dialog->findChild<TextLabel *>(QStringLiteral("doctorSummary"))->text(); }

    DoctorDialog *dialog = nullptr;
};

} // namespace

class TestDoctorDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsFoundIsShownTheWorstFirst()
    {
        Ward ward(somethingWrong());
        QTRY_COMPARE(ward.texts(),
                     (QStringList{QStringLiteral("Nobody serves q."),
                                  QStringLiteral("2 jobs run longer than they may."), QStringLiteral("Not durable.")}));
        QVERIFY2(ward.summary().contains(QStringLiteral("2 problems, 1 warning, 0 notes")), qPrintable(ward.summary()));
        QVERIFY2(ward.summary().contains(QStringLiteral("2 jobs (2 running), 1 queue, 0 workers")),
                 qPrintable(ward.summary()));
        QCOMPARE(ward.remedies().size(), 2); // nothing helps against what the server is set to
    }

    void aLongNameMovesNoButtonOutOfSight()
    {
        Examination examination = somethingWrong();
        examination.findings.first().text = QStringLiteral("Nobody serves %1: 1 job waits there.").arg(QString(120, u'q'));
        Ward ward(examination);
        QTRY_COMPARE(ward.remedies().size(), 2);
        for (const QPushButton *const button : ward.remedies()) {
            const int right = button->mapTo(ward.dialog, QPoint(button->width(), 0)).x();
            QVERIFY2(right <= ward.dialog->width(), qPrintable(QString::number(right)));
        }
    }

    void nothingWrongSaysSo()
    {
        Ward ward({});
        auto *const empty = ward.dialog->findChild<EmptyState *>();
        QTRY_COMPARE(empty->content().title, QStringLiteral("Nothing is stuck"));
        QVERIFY(empty->isVisible());
    }

    void aButtonDoesWhatHelpsAndThenItLooksAgain()
    {
        Ward ward(somethingWrong());
        QTRY_COMPARE(ward.remedies().size(), 2);
        QCOMPARE(ward.remedies().at(1)->text(), QStringLiteral("Requeue 2 jobs…"));
        QTest::mouseClick(ward.remedies().at(1), Qt::LeftButton);
        QCOMPARE(ward.prompts.questions.size(), 1);
        QTRY_COMPARE(ward.session()->requests("requeueJobs").size(), 1);
        QCOMPARE(ward.session()->requests("requeueJobs").first().ids, (QList<QByteArray>{"a", "b"}));
        ward.session()->setExamination({});
        Q_EMIT ward.session()->bulkProgressed(0, 0);
        QTRY_VERIFY(ward.texts().isEmpty() || !ward.dialog->findChild<EmptyState *>()->isHidden());
        QTRY_COMPARE(ward.dialog->findChild<EmptyState *>()->content().title, QStringLiteral("Nothing is stuck"));
        // What others do is no reason to read every job again.
        const qsizetype looks = ward.session()->requests("examine").size();
        Q_EMIT ward.session()->bulkProgressed(0, 0);
        ward.settle();
        QCOMPARE(ward.session()->requests("examine").size(), looks);
    }

    void aWorkerIsStartedForTheQueueThatLacksOne()
    {
        Ward ward(somethingWrong());
        QTRY_COMPARE(ward.remedies().size(), 2);
        QTest::mouseClick(ward.remedies().at(0), Qt::LeftButton);
        auto *const start = ward.window->findChild<StartWorkerDialog *>();
        QVERIFY(start);
        QCOMPARE(start->request().group, QByteArray("gpu"));
    }

    void anIdLeadsToItsJob()
    {
        Ward ward(somethingWrong());
        QTRY_COMPARE(ward.dialog->findChildren<QPushButton *>(QStringLiteral("jobLink")).size(), 2);
        QSignalSpy opened(ward.window->workspace(), &Workspace::jobOpened);
        QTest::mouseClick(ward.dialog->findChildren<QPushButton *>(QStringLiteral("jobLink")).at(1), Qt::LeftButton);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().toByteArray(), QByteArray("b"));
    }

    void whoMayOnlyLookIsOfferedNothing()
    {
        Ward ward({});
        Profile profile = ward.session()->profile();
        profile.readOnly = true;
        ward.session()->setProfile(profile);
        ward.session()->setExamination(somethingWrong());
        QTest::mouseClick(ward.dialog->findChild<QPushButton *>(QStringLiteral("lookAgain")), Qt::LeftButton);
        QTRY_COMPARE(ward.texts().size(), 3);
        QVERIFY(ward.remedies().isEmpty());
    }

    void aStoreThatCannotBeReadSaysWhyAndMayBeTriedAgain()
    {
        Ward ward({});
        ward.session()->failNext(Error{ErrorKind::Permission, QStringLiteral("NOPERM no SCAN."), {}, false});
        QTest::mouseClick(ward.dialog->findChild<QPushButton *>(QStringLiteral("lookAgain")), Qt::LeftButton);
        auto *const empty = ward.dialog->findChild<EmptyState *>();
        QTRY_VERIFY(empty->content().text.contains(QStringLiteral("NOPERM")));
        QVERIFY(!empty->content().mainButton.isEmpty());
    }

    void thereIsOneAndItFollowsTheWindow()
    {
        Ward ward(somethingWrong());
        QTRY_COMPARE(ward.texts().size(), 3);
        Profile other;
        other.name = QStringLiteral("night shift");
        other.url = QStringLiteral("redis://localhost");
        const QString id = ward.connections.save(other, {});
        ward.connections.fake(id)->setReady();
        ward.window->workspace()->openConnection(id);
        QTRY_VERIFY(ward.dialog->windowTitle().contains(QStringLiteral("night shift")));
        QTRY_COMPARE(ward.connections.fake(id)->requests("examine").size(), 1);
        QTRY_VERIFY(ward.dialog->findChild<EmptyState *>()->content().title == QStringLiteral("Nothing is stuck"));
        ward.action("view.doctor")->trigger();
        ward.settle();
        QCOMPARE(ward.window->findChildren<DoctorDialog *>().size(), 1);
    }
};

QTEST_MAIN(TestDoctorDialog)
#include "tst_doctor_dialog.moc"
