#include "tests/support/die_with_test.h"

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace ym::test {

void dieWithTest(QProcess *process)
{
    const pid_t test = ::getpid();
    if (::gettid() != test)
        qFatal("a test's processes are started in its main thread");
    process->setChildProcessModifier([test] {
        if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != test)
            ::_exit(127); // it ended before the kernel knew
    });
}

} // namespace ym::test
