// A machine on which jobs can only be limited, as far as this process and its children see it.
#pragma once

#include <QDir>
#include <QFile>

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace ym::test {

/// From now on the kernel has no Landlock for this process and what it starts. There is no way back.
inline bool hideLandlock()
{
    std::array<sock_filter, 4> program{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog whole{program.size(), program.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

/// For PATH: a folder with python3 alone, so without bwrap.
inline bool makeBareFolder(const QString &folder)
{
    return QDir().mkpath(folder) && QFile::link(QStringLiteral("/usr/bin/python3"), folder + QStringLiteral("/python3"));
}

} // namespace ym::test
