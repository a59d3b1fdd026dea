// The application's end of one launcher process.
#pragma once

#include "core/base/clock.h"
#include "core/base/completion.h"
#include "core/job/change_set.h"
#include "core/job/job.h"

#include <QList>
#include <QObject>

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
    QByteArray passedLimit; ///< name of the limit (launcher/limits.h) over which it was ended; empty: none
    QString complaint; ///< LauncherFailed: why
};

/// One launcher. Lives in the executor's thread; destroying it early makes the launcher kill the job.
class Launch final : public QObject {
public:
    using Output = std::function<void(OutputChunk::Stream, QByteArray)>;

    explicit Launch(Output output);
    ~Launch() override;

    void start(const LaunchOrder &order);
    /// SIGTERM to the job's process group.
    void terminate();
    /// SIGKILL to every process of the job.
    void kill();
    qint64 processId() const { return m_processId; }

    /// Delivered when the launcher itself has ended, and with it every process of the job.
    Completion<LaunchEnd> ended() const { return m_ended; }

private:
    void read();
    void finish();

    QProcess *m_process;
    Output m_output;
    QByteArray m_buffer;
    QByteArray m_over; ///< the last line of the launcher
    qint64 m_processId = 0;
    Completion<LaunchEnd> m_ended;
};

} // namespace ym
