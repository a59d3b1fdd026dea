// The protocol suite: what the doctor finds, on jobs as they really get stuck.
#include "core/engine/doctor.h"
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

class DoctorSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    static Timestamp now() { return Clock::system().now(); }

    Examination examine(Timestamp at = now())
    {
        Doctor doctor(m.inspector.get(), at);
        return await(doctor.examine({}, {}));
    }
    Doctor::JobReport examineJob(const QByteArray &id, Timestamp at = now())
    {
        Doctor doctor(m.inspector.get(), at);
        return await(doctor.examineJob(id));
    }
    static const Finding *findingIn(const Examination &report, const QByteArray &rule)
    {
        const auto found = std::find_if(report.findings.cbegin(), report.findings.cend(),
                                        [&rule](const Finding &one) { return one.rule == rule; });
        return found == report.findings.cend() ? nullptr : &*found;
    }
    static QList<QByteArray> rulesOf(const Examination &report)
    {
        QList<QByteArray> rules;
        for (const Finding &finding : report.findings)
            rules.append(finding.rule);
        return rules;
    }
    QByteArray write(const QByteArray &id, const QList<std::pair<const char *, QByteArray>> &fields)
    {
        for (const auto &[name, value] : fields)
            m.setField(id, name, value);
        return id;
    }
    /// A job of another program, as old as the hills.
    QByteArray writeOld(const QByteArray &id, const QByteArray &status,
                        const QList<std::pair<const char *, QByteArray>> &more = {})
    {
        write(id, {{"id", id}, {"status", status}, {"script_type", "python"}, {"script", "x"}, {"timeout", "10"}});
        write(id, {{"created_at", "2026-01-01T00:00:00Z"}, {"updated_at", "2026-01-01T00:00:00Z"}});
        return write(id, more);
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addCanonicalRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void anEmptyStoreAndOneThatWorksHaveNothingToSay();
    void aQueueThatNobodyServesIsAProblem();
    void aLostJobIsFoundAndAListedOneIsNot();
    void aJobSaysWhereItStandsInItsQueue();
    void aJobOfAWorkerThatIsGoneIsFoundByItsTimeout();
    void aJobThatWaitsForWhatHasFailedIsFound();
    void whatIsDueAndHeldByNobodyIsFound();
    void whatCannotBeReadIsNamed();
    void manyCasesAreCountedAndTheFirstAreNamed();
    void itChangesNothing();
};

void DoctorSuite::anEmptyStoreAndOneThatWorksHaveNothingToSay()
{
    QCOMPARE(rulesOf(examine()), QList<QByteArray>());
    auto *const worker = m.worker();
    await(worker->announce());
    m.submit();
    const std::vector<Claim> claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    m.submit();
    const Examination report = examine();
    QCOMPARE(rulesOf(report), QList<QByteArray>());
    QVERIFY(!report.hasProblems());
    QCOMPARE(report.jobs[size_t(JobState::Running)], 1);
    QCOMPARE(report.jobs[size_t(JobState::Queued)], 1);
    QCOMPARE(report.workerCount, 1);
    QVERIFY(!examineJob(claims.front().job.id).standing.isTrouble());
}

void DoctorSuite::aQueueThatNobodyServesIsAProblem()
{
    Job draft = m.draft();
    draft.target.group = "gpu";
    m.submit(draft);
    const Examination report = examine(now() + 1h);
    QCOMPARE(rulesOf(report), QList<QByteArray>{"no_worker"});
    QVERIFY(report.hasProblems());
    const Finding &finding = report.findings.constFirst();
    QCOMPARE(finding.remedy.kind, Remedy::Kind::StartWorker);
    QCOMPARE(finding.remedy.target.type, QByteArray("python"));
    QCOMPARE(finding.remedy.target.group, QByteArray("gpu"));
    QVERIFY2(finding.text.contains(QStringLiteral("for 1 h")), qPrintable(finding.text));
}

void DoctorSuite::aLostJobIsFoundAndAListedOneIsNot()
{
    const QByteArray lost = m.submit();
    m.submit();
    QCOMPARE(m.run(cmd("LREM", m.workKey(), 0, lost)).toInteger(), 1);
    QVERIFY(!findingIn(examine(), "unlisted")); // a moment ago: it may be between two steps
    const Examination report = examine(now() + 1min);
    const Finding *const found = findingIn(report, "unlisted");
    QVERIFY(found);
    QCOMPARE(found->count, 1);
    QCOMPARE(found->cases.constFirst().job, lost);
    QCOMPARE(found->cases.constFirst().remedy, (Remedy{Remedy::Kind::Requeue, {lost}, {}}));
    QCOMPARE(examineJob(lost, now() + 1min).standing.rule, QByteArray("unlisted"));
    // What it advises helps.
    await(m.producer->requeue(lost, 0));
    QVERIFY(!findingIn(examine(now() + 1min), "unlisted"));
}

void DoctorSuite::aJobSaysWhereItStandsInItsQueue()
{
    await(m.worker()->announce());
    for (int i = 0; i < 1'700; ++i) // more than a page
        m.run(cmd("LPUSH", m.workKey(), "other-" + QByteArray::number(i)));
    const QByteArray id = m.submit();
    const Doctor::JobReport report = examineJob(id, now() + 1min);
    QVERIFY2(report.standing.text.contains(QLocale().toString(1'701)), qPrintable(report.standing.text));
    QVERIFY(!report.standing.isTrouble());
}

void DoctorSuite::aJobOfAWorkerThatIsGoneIsFoundByItsTimeout()
{
    const QByteArray id = writeOld("foreign", "started", {{"started_at", "2026-01-01T00:00:01Z"}});
    const Examination report = examine();
    QCOMPARE(rulesOf(report), QList<QByteArray>{"overtime"});
    QCOMPARE(report.findings.constFirst().cases.constFirst().remedy, (Remedy{Remedy::Kind::Requeue, {id}, {}}));
    await(m.producer->requeue(id, 0));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
}

void DoctorSuite::aJobThatWaitsForWhatHasFailedIsFound()
{
    writeOld("done", "finished");
    writeOld("bad", "error");
    writeOld("stuck", "waiting_for_prerequisites", {{"prerequisites", "[\"done\",\"bad\"]"}});
    writeOld("free", "waiting_for_prerequisites", {{"prerequisites", "[\"done\"]"}});
    writeOld("orphan", "waiting_for_prerequisites", {{"prerequisites", "[\"nobody\"]"}});
    const Examination report = examine();
    const Finding *const found = findingIn(report, "prerequisite");
    QVERIFY(found);
    QCOMPARE(found->count, 2);
    QCOMPARE(found->remedy, (Remedy{Remedy::Kind::Retry, {"bad"}, {}}));
    QSet<QByteArray> named;
    for (const Finding::Case &one : found->cases) {
        named.insert(one.job);
        if (one.job == "stuck")
            QCOMPARE(one.remedy, (Remedy{Remedy::Kind::Retry, {"bad"}, {}}));
        else
            QCOMPARE(one.remedy, Remedy());
    }
    QCOMPARE(named, (QSet<QByteArray>{"stuck", "orphan"}));
    const Finding *const released = findingIn(report, "unreleased");
    QVERIFY(released);
    QCOMPARE(released->cases.constFirst().job, QByteArray("free"));
}

void DoctorSuite::whatIsDueAndHeldByNobodyIsFound()
{
    Job draft = m.draft();
    draft.notBefore = now() + 5s;
    const QByteArray id = m.submit(draft);
    QCOMPARE(rulesOf(examine()), QList<QByteArray>());
    const Examination late = examine(now() + 10min);
    QCOMPARE(rulesOf(late), QList<QByteArray>{"overdue"});
    QCOMPARE(late.findings.constFirst().cases.constFirst().job, id);
    QCOMPARE(examineJob(id, now() + 10min).standing.remedy.kind, Remedy::Kind::StartWorker);
}

void DoctorSuite::whatCannotBeReadIsNamed()
{
    writeOld("odd", "dispached");
    m.run(cmd("SET", "hero:q:work:type:rhai", "no list"));
    m.run(cmd("LPUSH", m.workKey(), "ghost"));
    m.run(cmd("LPUSH", "hero:q:dead:python", "gone"));
    const Examination report = examine();
    const QList<QByteArray> rules = rulesOf(report);
    QCOMPARE(QSet<QByteArray>(rules.cbegin(), rules.cend()),
             (QSet<QByteArray>{"unknown_status", "not_a_queue", "dangling", "no_worker", "given_up"}));
    QVERIFY(std::is_sorted(report.findings.cbegin(), report.findings.cend(), [](const Finding &a, const Finding &b) {
        return a.severity < b.severity; // the worst first
    }));
    QCOMPARE(findingIn(report, "dangling")->key, m.workKey());
    QVERIFY(findingIn(report, "unknown_status")->cases.constFirst().text.contains(QStringLiteral("dispached")));
}

void DoctorSuite::manyCasesAreCountedAndTheFirstAreNamed()
{
    for (int i = 0; i < 250; ++i)
        writeOld("old-" + QByteArray::number(i), "started", {{"started_at", "2026-01-01T00:00:01Z"}});
    for (int i = 0; i < 250; ++i)
        writeOld("lost-" + QByteArray::number(i), "dispatched");
    const Examination report = examine();
    for (const char *rule : {"overtime", "unlisted"}) {
        const Finding *const found = findingIn(report, rule);
        QVERIFY(found);
        QCOMPARE(found->count, 250);
        QCOMPARE(found->cases.size(), 100);
        QCOMPARE(found->remedy.kind, Remedy::Kind::Requeue);
        QCOMPARE(found->remedy.jobs.size(), 100);
        QVERIFY(found->text.contains(QStringLiteral("250")));
    }
    QCOMPARE(report.jobCount(), 500);
}

void DoctorSuite::itChangesNothing()
{
    m.submit();
    writeOld("foreign", "started", {{"started_at", "2026-01-01T00:00:01Z"}});
    writeOld("lost", "dispatched");
    const auto all = [this] {
        QList<QByteArray> keys = m.run(cmd("KEYS", "*")).toList();
        std::sort(keys.begin(), keys.end());
        QList<QByteArray> content;
        for (const QByteArray &key : std::as_const(keys)) {
            const bool isList = m.run(cmd("TYPE", key)).toBytes() == "list";
            content += key;
            content += m.run(isList ? cmd("LRANGE", key, 0, -1) : cmd("HGETALL", key)).toList();
        }
        return content;
    };
    const QList<QByteArray> before = all();
    QVERIFY(before.size() > 10);
    QVERIFY(examine(now() + 1h).hasProblems());
    examineJob("lost", now() + 1h);
    QCOMPARE(all(), before);
}

QTEST_GUILESS_MAIN(DoctorSuite)
#include "tst_doctor.moc"
