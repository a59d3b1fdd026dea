// yardmaster-launch: runs one job's interpreter and leaves no process behind.
//
// The application starts it with pipes on its three standard descriptors and sends settings and orders as frames (see
// wire.h). It becomes a session of its own and a child subreaper, starts the interpreter in a process group of its own,
// passes its output on as frames, and at the end kills whatever is left: when the interpreter has ended, on the order
// to kill, on SIGTERM, and when its standard input ends, which is how it learns that the application is gone
// (PR_SET_PDEATHSIG would be tied to one thread of it; RELIABILITY 7.2, trap 4). It reports only after the last
// process of the job is gone and its folder is removed. It keeps no time but the short waits of the last phase: when
// to stop is the application's business, but the limits that no rlimit keeps (watch.h) are its own.
//
// With `--guard` it only keeps watch over bubblewrap, which starts a second launcher inside as the first process of a
// name space of its own: that one does all this, on the same descriptors.
//
// Told that its command is a zygote, it starts that once and has a process forked for each of the jobs that follow,
// one at a time, until one leaves the place in another state than it was.
#include "core/worker/launcher/descendants.h"
#include "core/worker/launcher/guard.h"
#include "core/worker/launcher/job_run.h"
#include "core/worker/launcher/orders.h"
#include "core/worker/remove_tree.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace ym::launch;

constexpr int unwanted = 125;

[[noreturn]] void giveUp(const char *what)
{
    std::perror(what);
    std::exit(125);
}

/// The launcher's own surroundings.
int prepare()
{
    close_range(3, ~0U, 0);
    setsid();
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        giveUp("subreaper");
    prctl(PR_SET_DUMPABLE, 0); // its memory holds the job's environment, its descriptors the report
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&watched, number);
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    const int fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        giveUp("signalfd");
    return fd;
}

/// A file system in memory of which only the root is left. Nobody can put another file in place of one.
bool isEmptyFileSystem(const char *root)
{
    struct statfs about { };
    return statfs(root, &about) == 0 && about.f_type == TMPFS_MAGIC && about.f_files - about.f_ffree == 1;
}

/// What a job has written where the next one could find it.
bool tidyUp(const Settings &settings)
{
    if (getpid() != 1)
        return ym::emptyFolder(settings.folder.c_str()) == 0;
    unlink(settings.script.c_str());
    bool ok = true;
    for (const char *root : {settings.folder.c_str(), "/tmp", "/dev/shm"}) // all private then
        ok = (isEmptyFileSystem(root) ? chmod(root, 0700) : ym::emptyFolder(root)) == 0 && ok;
    return ok;
}

int runOne(const Settings &settings, Surroundings &around)
{
    JobRun run(&settings, &around);
    run.live();
    if (!settings.removal.empty())
        ym::removeTree(settings.removal.c_str());
    run.report(false);
    return 0;
}

/// Until the application goes away or a job has left something behind.
int runMany(const Settings &settings, Surroundings &around)
{
    Settings zygote = settings;
    if (!around.zygote.begin(zygote))
        return unwanted;
    for (bool stays = true; stays;) {
        around.zygote.prepare();
        Settings job = settings;
        job.variables.clear();
        if (!readSettings(around.orders, job))
            break;
        JobRun run(&job, &around);
        stays = run.live() && run.wasClean() && around.zygote.isAlive() && tidyUp(job);
        if (!stays && !settings.removal.empty())
            ym::removeTree(settings.removal.c_str());
        run.report(stays);
    }
    do
        killDescendants();
    while (waitpid(-1, nullptr, 0) > 0);
    if (!settings.removal.empty())
        ym::removeTree(settings.removal.c_str());
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && std::strcmp(argv[1], guardWord) == 0)
        return guard(argv + 2);
    Surroundings around;
    around.signals = prepare();
    Settings settings;
    if (!readSettings(around.orders, settings)) {
        if (!settings.removal.empty())
            ym::removeTree(settings.removal.c_str());
        return unwanted;
    }
    return settings.isWarm ? runMany(settings, around) : runOne(settings, around);
}
