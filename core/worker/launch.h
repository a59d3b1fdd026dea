// The application's end of one launcher process.
#pragma once

#include "core/base/clock.h"
#include "core/base/completion.h"
#include "core/job/change_set.h"
#include "core/job/job.h"

#include <QList>
#include <QObject>
#include <QSet>

#include <functional>
#include <memory>

class QProcess;

namespace ym {

/// What the launcher is told to run; bytes as the kernel takes them.
struct LaunchOrder {
    QString launcher; ///< absolute path of yardmaster-launch
    QList<QByteArray> command; ///< first: absolute path of the interpreter
    QList<QByteArray> variables; ///< NAME=value
    QByteArray folder; ///< working directory
    bool removesFolder = false; ///< delete it afterwards
    QList<ByteField> files; ///< to make in the folder: name and content
    QByteArray input; ///< file for standard input; empty = /dev/null
    int niceness = 0; ///< 0…19
    bool isWarm = false; ///< the command is a zygote; jobs are run with runNext()
    QByteArray script; ///< of a job of a zygote: its path
    QList<QByteArray> imports; ///< modules that a zygote shall import for later jobs
    // Set by Sandbox:
    QList<QByteArray> wrapper; ///< command that starts the launcher contained; empty = it is started directly
    QList<QByteArray> limits; ///< NAME VALUE
    QByteArray confine; ///< a confine word of wire.h
    bool hasNetwork = false;
    QList<QByteArray> readable;
    QList<QByteArray> writable;
};

/// How it ended.
struct LaunchEnd {
    enum class How : quint8 { Exit, Signal, NotStarted, LauncherFailed };
    How how = How::LauncherFailed;
    int code = 0; ///< exit code, signal, or errno of what could not be started
    Milliseconds cpuTime{0};
    qint64 maxRssKb = 0;
    int leftProcesses = 0;
    bool isStuck = false; ///< a process hangs in the kernel and could not be ended
    bool mayRunAgain = false; ///< a zygote is ready for the next job
    QByteArray passedLimit; ///< name of the limit (launcher/limits.h) over which it was ended; empty: none
    QString complaint; ///< LauncherFailed: why
};

/// One launcher, for one job or, with a zygote, for one after another. Lives in the executor's thread; destroying it
/// early makes the launcher kill the job.
class Launch final : public QObject {
public:
    using Output = std::function<void(OutputChunk::Stream, QByteArray)>;

    explicit Launch(Output output = {});
    ~Launch() override;

    void start(const LaunchOrder &order);
    /// Runs a job in the zygote that was started: of the order its variables, files, script and limits count.
    void runNext(const LaunchOrder &job, Output output);
    /// Idle, and as it was before its first job.
    bool mayRunAgain() const { return m_mayRunAgain && !m_isOver; }
    bool isWarm() const { return m_isWarm; }
    int runCount() const { return m_runCount; }
    /// SIGTERM to the job's process group.
    void terminate();
    /// SIGKILL to every process of the job.
    void kill();
    qint64 processId() const { return m_processId; }

    /// Delivered when every process of the job has ended; of a job without a zygote when the launcher has ended too.
    Completion<LaunchEnd> ended() const { return m_ended; }

private:
    void read();
    void finish();
    LaunchEnd endOfJob() const;

    QProcess *m_process;
    Output m_output;
    QByteArray m_buffer;
    QByteArray m_over; ///< the last line of the launcher
    qint64 m_processId = 0;
    Completion<LaunchEnd> m_ended;
    bool m_isWarm = false;
    bool m_mayRunAgain = false;
    bool m_isOver = false; ///< the launcher has ended
    int m_runCount = 0;
    QSet<QByteArray> m_imported; ///< what the zygote was told to import
};

} // namespace ym
