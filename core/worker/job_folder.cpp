#include "core/worker/job_folder.h"

#include "core/base/log.h"
#include "core/worker/file_descriptor.h"
#include "core/worker/remove_tree.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobFolder", text);
}

tl::unexpected<Error> cannot(const QByteArray &path, int error)
{
    return failure(ErrorKind::Io,
                   tr("The job folder %1 cannot be used: %2.").arg(QFile::decodeName(path), qt_error_string(error)),
                   tr("Check the folder for temporary files."));
}

/// Only a folder of ours that nobody else can enter (others could plant one in a shared folder).
Result<void> checkRoot(const QByteArray &path)
{
    struct stat about { };
    if (lstat(path.constData(), &about) != 0)
        return cannot(path, errno);
    if (!S_ISDIR(about.st_mode))
        return cannot(path, ENOTDIR);
    if (about.st_uid != geteuid())
        return cannot(path, EPERM);
    if ((about.st_mode & 077) != 0 && chmod(path.constData(), 0700) != 0)
        return cannot(path, errno);
    return {};
}

} // namespace

QString JobFolder::defaultRoot()
{
    return QDir::tempPath() + QStringLiteral("/yardmaster-") + QString::number(geteuid());
}

Result<JobFolder> JobFolder::create(const QString &root)
{
    const QByteArray rootPath = QFile::encodeName(QDir(root).absolutePath());
    QDir().mkpath(QFile::decodeName(rootPath.left(rootPath.lastIndexOf('/'))));
    if (mkdir(rootPath.constData(), 0700) != 0 && errno != EEXIST)
        return cannot(rootPath, errno);
    if (const auto ok = checkRoot(rootPath); !ok)
        return tl::unexpected(ok.error());
    QByteArray path = rootPath + "/job-XXXXXX";
    if (!mkdtemp(path.data()))
        return cannot(rootPath, errno);
    return JobFolder(path);
}

JobFolder::JobFolder(QByteArray path)
    : m_path(std::move(path))
{
}

JobFolder::JobFolder(JobFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

JobFolder::~JobFolder()
{
    if (m_path.isEmpty())
        return;
    if (const int error = removeTree(m_path.constData()); error != 0)
        qCWarning(logWorker, "job folder %s stays: %s", m_path.constData(), qPrintable(qt_error_string(error)));
}

Result<QByteArray> JobFolder::write(const QByteArray &name, const QByteArray &content) const
{
    const QByteArray file = m_path + '/' + name;
    const FileDescriptor fd(open(file.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd.isOpen() || !fd.writeAll(content))
        return cannot(file, errno);
    return file;
}

} // namespace ym
