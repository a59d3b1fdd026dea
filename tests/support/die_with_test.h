// Keeps what a test starts from outliving it.
#pragma once

#include <QProcess>

namespace ym::test {

/// Lets the kernel kill the process, which is to be started yet, when this one ends, however that happens: nobody else
/// does it after a SIGKILL. To be started in the main thread, because what counts is the end of the thread that starts
/// it. Its own children are its own affair.
void dieWithTest(QProcess *process);

} // namespace ym::test
