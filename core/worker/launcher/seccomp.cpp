#include "core/worker/launcher/confine.h"

#include <cerrno>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>

namespace ym::launch {

namespace {

constexpr int refused[] = {
    // other processes
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages),
    // mounts and name spaces
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(setns), SCMP_SYS(unshare), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    // large or rarely tried parts of the kernel
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(lookup_dcookie), SCMP_SYS(modify_ldt),
    // the machine
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
    SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(syslog), SCMP_SYS(iopl), SCMP_SYS(ioperm),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(vhangup)};

/// Terminal commands that type into somebody's shell. Only 32 bits of the number count for the kernel.
constexpr scmp_datum_t terminalCommands[] = {TIOCSTI, TIOCLINUX};

constexpr scmp_datum_t newNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC
    | CLONE_NEWUTS | CLONE_NEWCGROUP;

/// Collects rules and remembers whether one failed.
class Filter {
public:
    Filter()
        : m_context(seccomp_init(SCMP_ACT_ALLOW))
    {
    }
    ~Filter()
    {
        if (m_context)
            seccomp_release(m_context);
    }
    Filter(const Filter &) = delete;
    Filter &operator=(const Filter &) = delete;

    template <typename... Compare> void refuse(int call, Compare... compare)
    {
        add(SCMP_ACT_ERRNO(EPERM), call, compare...);
    }
    template <typename... Compare> void add(std::uint32_t action, int call, Compare... compare)
    {
        // A call that this architecture does not have cannot be made either.
        m_ok = m_ok && m_context
            && (call < 0 || seccomp_rule_add(m_context, action, call, sizeof...(Compare), compare...) == 0);
    }
    bool load() { return m_ok && seccomp_load(m_context) == 0; }

private:
    scmp_filter_ctx m_context;
    bool m_ok = true;
};

void refuseSockets(Filter &filter, bool network)
{
    if (!network) {
        filter.refuse(SCMP_SYS(socket));
        return;
    }
    // Everything below, between and above the two families of the Internet.
    static_assert(AF_INET < AF_INET6);
    filter.refuse(SCMP_SYS(socket), SCMP_A0_32(SCMP_CMP_LT, AF_INET));
    filter.refuse(SCMP_SYS(socket), SCMP_A0_32(SCMP_CMP_GT, AF_INET6));
    for (scmp_datum_t family = AF_INET + 1; family < AF_INET6; ++family)
        filter.refuse(SCMP_SYS(socket), SCMP_A0_32(SCMP_CMP_EQ, family));
}

} // namespace

bool confineCalls(const CallRules &rules)
{
    Filter filter;
    for (const int call : refused)
        filter.refuse(call);
    for (const scmp_datum_t command : terminalCommands)
        filter.refuse(SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, command));
    for (scmp_datum_t flag = 1; flag <= newNamespaces; flag <<= 1) {
        if (flag & newNamespaces)
            filter.refuse(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
    }
    // Its flags lie in memory, where a filter cannot look; libraries fall back to clone().
    filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    // The limits of other processes of this user.
    filter.refuse(SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0));
    if (rules.noSignalToAll)
        filter.refuse(SCMP_SYS(kill), SCMP_A0_32(SCMP_CMP_EQ, std::uint32_t(-1)));
    if (rules.noSockets)
        refuseSockets(filter, rules.network);
    return filter.load();
}

} // namespace ym::launch
