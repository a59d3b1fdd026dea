#include "tests/support/worker_crew.h"

#include <QFile>
#include <QJsonObject>

#include <csignal>

namespace ym::test {

WorkerCrew::WorkerCrew(Program *program, QStringList arguments, int size)
    : m_program(program)
    , m_arguments(std::move(arguments))
    , m_workers(size_t(size))
    , m_paused(size_t(size), false)
    , m_lastDiaries(size_t(size))
{
}

WorkerCrew::~WorkerCrew()
{
    for (int number = 0; number < size(); ++number) {
        if (!m_workers[size_t(number)])
            continue;
        signal(number, SIGKILL);
        m_workers[size_t(number)]->waitForFinished(10'000);
    }
}

void WorkerCrew::start()
{
    for (int number = 0; number < size(); ++number)
        begin(number);
}

void WorkerCrew::begin(int number)
{
    std::unique_ptr<QProcess> worker = m_program->prepare(m_arguments);
    const QString diary = m_program->homeFolder() + QStringLiteral("/diary-%1").arg(m_diaries.size());
    m_diaries.append(diary);
    m_lastDiaries[size_t(number)] = diary;
    worker->setStandardOutputFile(diary);
    worker->setStandardErrorFile(diary + QStringLiteral(".err"));
    worker->start();
    if (!worker->waitForStarted(60'000))
        qFatal("a worker does not start");
    m_workers[size_t(number)] = std::move(worker);
    m_paused[size_t(number)] = false;
}

void WorkerCrew::signal(int number, int signalNumber)
{
    const qint64 pid = m_workers[size_t(number)]->processId();
    if (pid > 0)
        ::kill(pid_t(pid), signalNumber);
}

void WorkerCrew::killHard(int number)
{
    signal(number, SIGKILL);
    m_workers[size_t(number)]->waitForFinished(10'000);
    begin(number);
}

void WorkerCrew::pause(int number)
{
    signal(number, SIGSTOP);
    m_paused[size_t(number)] = true;
}

void WorkerCrew::resume(int number)
{
    signal(number, SIGCONT);
    m_paused[size_t(number)] = false;
}

bool WorkerCrew::dismiss()
{
    for (int number = 0; number < size(); ++number) {
        resume(number);
        signal(number, SIGTERM);
    }
    bool allWell = true;
    for (const auto &worker : m_workers) {
        const bool ended = worker->state() == QProcess::NotRunning || worker->waitForFinished(60'000);
        QFile file(m_lastDiaries[size_t(&worker - m_workers.data())] + QStringLiteral(".err"));
        const QByteArray remarks = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        const bool neverBegan = ended && !remarks.contains("Serving "); // the server was away when it was started last
        const bool isWell = ended && worker->exitStatus() == QProcess::NormalExit && (worker->exitCode() == 0 || neverBegan);
        if (!isWell)
            qWarning("a worker has not ended well (code %d): %s", worker->exitCode(), remarks.constData());
        allWell = allWell && isWell;
    }
    return allWell;
}

CrewDiary WorkerCrew::diary() const
{
    CrewDiary all;
    all.lives = int(m_diaries.size());
    for (const QString &path : m_diaries) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const Ended told{0, file.readAll(), {}};
        for (const QJsonObject &event : told.jsonLines()) { // a line cut by a kill is an empty object
            const QByteArray id = event.value(QLatin1String("id")).toString().toUtf8();
            const QString what = event.value(QLatin1String("event")).toString();
            if (what == QLatin1String("started"))
                ++all.starts[id];
            else if (what == QLatin1String("late"))
                ++all.late[id];
        }
    }
    return all;
}

} // namespace ym::test
