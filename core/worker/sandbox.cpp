// The policy is that of RELIABILITY 7.3; every trap of 7.2 has its line here or in the launcher.
#include "core/worker/sandbox.h"

#include "core/base/log.h"
#include "core/job/signal_name.h"
#include "core/worker/job_folder.h"
#include "core/worker/launcher/wire.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace ym {

namespace {

constexpr auto insideFolder = "/job";
constexpr auto insideLauncher = "/run/yardmaster-launch";
constexpr auto insideWarmModule = "/run/yardmaster-warm.so";
constexpr qint64 sharedMemoryBytes = qint64{64} << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Sandbox", text);
}

/// Folders at the root that are links into /usr on a merged system and folders of their own elsewhere.
void addSystem(QList<QByteArray> &words)
{
    words << "--ro-bind" << "/usr" << "/usr";
    for (const QByteArray name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
        const QFileInfo folder(QLatin1Char('/') + QString::fromLatin1(name));
        if (folder.isSymLink())
            words << "--symlink" << QFile::encodeName(folder.symLinkTarget()) << '/' + name;
        else if (folder.isDir())
            words << "--ro-bind" << '/' + name << '/' + name;
    }
    for (const QByteArray file : {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                  "/etc/localtime", "/etc/timezone", "/etc/mime.types"})
        words << "--ro-bind-try" << file << file;
}

void addNetwork(QList<QByteArray> &words)
{
    for (const QByteArray file : {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl", "/etc/services",
                                  "/etc/protocols", "/etc/gai.conf"})
        words << "--ro-bind-try" << file << file;
}

QByteArray orNone(qint64 bytes)
{
    // bubblewrap refuses a size of 0; nobody meets this one.
    return QByteArray::number(bytes > 0 ? bytes : qint64{1} << 40);
}

/// Where a program runs in a scope of the user's service manager, everything it starts is limited together.
QList<QByteArray> scopeWords(const RunLimits &limits)
{
    QList<QByteArray> words{"/usr/bin/env"};
    for (const char *name : {"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}) {
        if (qEnvironmentVariableIsSet(name))
            words << QByteArray(name) + '=' + qgetenv(name);
    }
    words << QFile::encodeName(QStandardPaths::findExecutable(QStringLiteral("systemd-run")))
          << "--user" << "--scope" << "--quiet" << "--collect";
    if (limits.memoryBytes > 0)
        words << "-p" << "MemoryMax=" + QByteArray::number(limits.memoryBytes) << "-p" << "MemorySwapMax=0";
    if (limits.processes > 0) // beside the job: bubblewrap and two launchers
        words << "-p" << "TasksMax=" + QByteArray::number(limits.processes + 8);
    return words << "-p" << "CPUQuota=200%" << "--" << "/usr/bin/env" << "-i";
}

bool mayHaveScope()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/systemd/private"))
        && !QStandardPaths::findExecutable(QStringLiteral("systemd-run")).isEmpty();
}

} // namespace

QList<QByteArray> limitWords(const RunLimits &limits)
{
    const std::pair<const char *, qint64> all[] = {
        {"cpu", limits.cpu.count()},      {"address", limits.addressBytes}, {"memory", limits.memoryBytes},
        {"file", limits.fileBytes},       {"disk", limits.diskBytes},       {"files", limits.files},
        {"processes", limits.processes}, {"open", limits.openFiles}};
    QList<QByteArray> words;
    for (const auto &[name, value] : all) {
        if (value > 0)
            words.append(QByteArray(name) + ' ' + QByteArray::number(value));
    }
    return words;
}

Sandbox::Sandbox(Options options)
    : m_options(std::move(options))
{
    if (m_options.bubblewrap.isEmpty())
        m_options.bubblewrap = QStandardPaths::findExecutable(QStringLiteral("bwrap"));
}

QByteArray Sandbox::jobFolder(ContainmentLevel level)
{
    return level == ContainmentLevel::Bubblewrap ? insideFolder : QByteArray();
}

QByteArray Sandbox::warmModule()
{
    return insideWarmModule;
}

QList<QByteArray> Sandbox::bubblewrapWords(const Containment &containment, const JobAccess &access,
                                           const RunLimits &limits, const QStringList &interpreter) const
{
    QList<QByteArray> words;
    if (containment.hasScope)
        words = scopeWords(limits);
    words << QFile::encodeName(m_options.bubblewrap) << "--die-with-parent" << "--new-session" << "--as-pid-1"
          << "--unshare-all" << "--unshare-user" << "--disable-userns" << "--cap-drop" << "ALL" << "--hostname" << "job"
          << "--clearenv";
    if (access.network)
        words << "--share-net";
    addSystem(words);
    if (access.network)
        addNetwork(words);
    words << "--proc" << "/proc" << "--dev" << "/dev" << "--size" << QByteArray::number(sharedMemoryBytes)
          << "--tmpfs" << "/dev/shm" << "--remount-ro" << "/dev";
    words << "--size" << orNone(limits.diskBytes) << "--tmpfs" << "/tmp" << "--size" << orNone(limits.diskBytes)
          << "--perms" << "0700" << "--tmpfs" << insideFolder;
    for (const QString &path : interpreter)
        words << "--ro-bind-try" << QFile::encodeName(path) << QFile::encodeName(path);
    for (const QString &path : access.readable)
        words << "--ro-bind" << QFile::encodeName(path) << QFile::encodeName(path);
    for (const QString &path : access.writable)
        words << "--bind" << QFile::encodeName(path) << QFile::encodeName(path);
    const QString warmModule = QFileInfo(m_options.launcher).absolutePath() + QStringLiteral("/yardmaster-warm.so");
    words << "--ro-bind-try" << QFile::encodeName(warmModule) << insideWarmModule;
    words << "--ro-bind" << QFile::encodeName(m_options.launcher) << insideLauncher << "--remount-ro" << "/"
          << "--chdir" << insideFolder << "--" << insideLauncher;
    return words;
}

LaunchOrder Sandbox::contained(LaunchOrder order, const Containment &containment, JobAccess access, RunLimits limits,
                               const QStringList &interpreter) const
{
    order.limits = limitWords(limits);
    order.hasNetwork = access.network;
    switch (containment.level) {
    case ContainmentLevel::Bubblewrap:
        order.wrapper = bubblewrapWords(containment, access, limits, interpreter);
        order.confine = launch::confineCallsWord;
        break;
    case ContainmentLevel::Confined:
        order.confine = launch::confineAllWord;
        for (const QString &path : interpreter + access.readable)
            order.readable.append(QFile::encodeName(path));
        for (const QString &path : access.writable)
            order.writable.append(QFile::encodeName(path));
        break;
    case ContainmentLevel::LimitsOnly:
    case ContainmentLevel::Refused:
        break;
    }
    return order;
}

QCoro::Task<Containment> Sandbox::probe()
{
    if (m_answer) {
        Containment known = *m_answer;
        co_return known;
    }
    if (std::exchange(m_isClimbing, true)) {
        const Completion<Containment> answer;
        m_waiting.push_back(answer);
        Containment told = co_await answer;
        co_return told;
    }
    Containment found = co_await climb();
    qCInfo(logWorker, "jobs: %s", qUtf8Printable(containmentText(found)));
    m_answer = found;
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &one : waiting)
        one.resolve(found);
    co_return found;
}

/// From the best level down, until one works; collects why the better ones do not.
QCoro::Task<Containment> Sandbox::climb()
{
    QStringList reasons;
    if (m_options.best == ContainmentLevel::Bubblewrap) {
        QString why = m_options.bubblewrap.isEmpty() ? tr("bwrap was not found; install the package bubblewrap")
                                                     : QString();
        if (why.isEmpty() && mayHaveScope()) {
            const QString noScope = co_await trial({ContainmentLevel::Bubblewrap, true, {}});
            if (noScope.isEmpty())
                co_return Containment{ContainmentLevel::Bubblewrap, true, {}};
            qCInfo(logWorker, "no systemd scope: %s", qUtf8Printable(noScope));
        }
        if (why.isEmpty())
            why = co_await trial({ContainmentLevel::Bubblewrap, false, {}});
        if (why.isEmpty())
            co_return Containment{ContainmentLevel::Bubblewrap, false, {}};
        reasons.append(why);
    }
    for (const auto level : {ContainmentLevel::Confined, ContainmentLevel::LimitsOnly}) {
        if (level < m_options.best)
            continue;
        const QString why = co_await trial({level, false, {}});
        if (why.isEmpty())
            co_return Containment{level, false, reasons.join(QStringLiteral("; "))};
        reasons.append(why);
    }
    co_return Containment{ContainmentLevel::Refused, false, reasons.join(QStringLiteral("; "))};
}

QCoro::Task<QString> Sandbox::trial(Containment containment)
{
    LaunchOrder order;
    order.launcher = m_options.launcher;
    order.command = {"/bin/true"};
    order.folder = jobFolder(containment.level);
    std::optional<JobFolder> folder;
    if (order.folder.isEmpty()) {
        Result<JobFolder> made = JobFolder::create(JobFolder::defaultRoot());
        if (!made)
            co_return made.error().text();
        order.folder = folder.emplace(std::move(*made)).path();
    }
    order = contained(order, containment, {}, {}, {});
    Launch launch([](OutputChunk::Stream, const QByteArray &) {});
    launch.start(order);
    const Completion<LaunchEnd> ended = launch.ended();
    const LaunchEnd end = co_await ended;
    const QByteArray name = levelName(containment.level);
    switch (end.how) {
    case LaunchEnd::How::Exit:
        co_return end.code == 0 ? QString() : tr("%1 failed with exit code %2").arg(QString::fromLatin1(name)).arg(end.code);
    case LaunchEnd::How::Signal:
        co_return tr("%1 was killed by %2").arg(QString::fromLatin1(name), signalText(end.code));
    case LaunchEnd::How::NotStarted:
        co_return containment.level == ContainmentLevel::Confined
            ? tr("Landlock and seccomp do not work here (%1)").arg(qt_error_string(end.code))
            : qt_error_string(end.code);
    case LaunchEnd::How::LauncherFailed:
        break;
    }
    co_return end.complaint.section(u'\n', 0, 0);
}

} // namespace ym
