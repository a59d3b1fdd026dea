// Which processes of a job are alive, as /proc tells.
#pragma once

#include <QByteArray>
#include <QList>

namespace ym::test {

/// Pids of every living process (zombies do not count) that has JOB_ID=`jobId` in its environment.
QList<int> livingProcessesOf(const QByteArray &jobId);

/// Direct children of this process that wait to be reaped.
int zombieCount();

/// Open file descriptors of this process.
int openDescriptorCount();

} // namespace ym::test
