#include "tests/support/small_disk.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace ym::test {

namespace {

void writeMap(const char *path, const QByteArray &text)
{
    QFile file(QString::fromLatin1(path));
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
}

} // namespace

QString enterMountSpace()
{
    const QByteArray user = QByteArray::number(::getuid());
    const QByteArray group = QByteArray::number(::getgid());
    const bool isRoot = ::getuid() == 0;
    if (::unshare(CLONE_NEWNS | (isRoot ? 0 : CLONE_NEWUSER)) != 0)
        return QStringLiteral("no name space of its own: %1").arg(QString::fromLocal8Bit(std::strerror(errno)));
    if (!isRoot) {
        writeMap("/proc/self/setgroups", "deny");
        writeMap("/proc/self/uid_map", "0 " + user + " 1");
        writeMap("/proc/self/gid_map", "0 " + group + " 1");
    }
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return QStringLiteral("mounts are shared: %1").arg(QString::fromLocal8Bit(std::strerror(errno)));
    return {};
}

SmallDisk::SmallDisk(const char *size)
    : m_isMounted(::mount("tmpfs", path().toLocal8Bit().constData(), "tmpfs", 0, size) == 0)
{
}

SmallDisk::~SmallDisk()
{
    if (m_isMounted)
        ::umount2(path().toLocal8Bit().constData(), MNT_DETACH);
}

void SmallDisk::fill(qint64 leave)
{
    const int file = ::open(ballast().constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const QByteArray block(4096, 'b');
    while (::write(file, block.constData(), size_t(block.size())) > 0)
        continue;
    if (leave > 0 && ::ftruncate(file, std::max<off_t>(0, ::lseek(file, 0, SEEK_END) - leave)) != 0)
        QTest::qFail("the disk cannot be filled", __FILE__, __LINE__);
    ::close(file);
}

void SmallDisk::empty()
{
    QFile::remove(QString::fromLocal8Bit(ballast()));
}

} // namespace ym::test
