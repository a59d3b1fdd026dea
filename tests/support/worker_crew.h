// Workers as processes of the program, to be killed, stopped and counted.
#pragma once

#include "tests/support/program.h"

#include <QHash>

#include <vector>

namespace ym::test {

/// What the workers of a crew have told, all of their lives together.
struct CrewDiary {
    QHash<QByteArray, int> starts; ///< job id → how often a run was begun
    QHash<QByteArray, int> late; ///< job id → results that came too late and changed nothing
    int lives = 0; ///< processes that were started
};

/// `yardmaster worker` several times over. Each life writes its diary into a file of its own, so that a kill -9 takes
/// nothing away but what was not written yet.
class WorkerCrew {
public:
    WorkerCrew(Program *program, QStringList arguments, int size);
    ~WorkerCrew();

    int size() const { return int(m_workers.size()); }
    void start();
    /// kill -9, and another one takes its place.
    void killHard(int number);
    void pause(int number); ///< SIGSTOP
    void resume(int number); ///< SIGCONT
    bool isPaused(int number) const { return m_paused.at(size_t(number)); }
    /// SIGTERM to all; true when each one ended by itself with exit code 0.
    bool dismiss();

    CrewDiary diary() const;

private:
    void begin(int number);
    void signal(int number, int signalNumber);

    Program *m_program;
    QStringList m_arguments;
    std::vector<std::unique_ptr<QProcess>> m_workers;
    std::vector<bool> m_paused;
    QStringList m_diaries;
    std::vector<QString> m_lastDiaries; ///< by worker
};

} // namespace ym::test
