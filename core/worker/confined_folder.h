// Opens files by paths that others wrote, and never one outside a given folder.
#pragma once

#include "core/base/error.h"
#include "core/worker/file_descriptor.h"

#include <sys/types.h>

namespace ym {

/// A root below which paths from job records are opened (RELIABILITY 7.4). Links of every kind, other file systems,
/// "..", and everything that is not a plain file of ours with one name are refused, without a race against somebody
/// who swaps components meanwhile: the kernel resolves the path beneath the root (openat2), or, where it cannot, each
/// component is opened for itself.
class ConfinedFolder {
public:
    enum class Access : quint8 { Read, Append }; ///< Append makes missing folders (0700) and the file (0600)
    enum class Resolver : quint8 { Kernel, StepByStep };

    /// Opens the root; Append makes it when it is missing. Io or NotFound when it cannot be had.
    static Result<ConfinedFolder> open(const QString &root, Access access, Resolver resolver = Resolver::Kernel);

    /// The folder of `relative` and the name in it. `relative` has no empty, "." or ".." part.
    struct Place {
        FileDescriptor folder;
        QByteArray name;
    };
    Result<Place> locate(const QByteArray &relative, Access access) const;
    /// A checked plain file in an open folder.
    static Result<FileDescriptor> openFile(const FileDescriptor &folder, const QByteArray &name, Access access);

private:
    ConfinedFolder(FileDescriptor root, Resolver resolver);
    FileDescriptor openFolder(const QByteArray &relative) const;
    FileDescriptor walk(const QByteArray &relative) const;
    bool makeFolders(const QByteArray &relative) const;

    FileDescriptor m_root;
    Resolver m_resolver;
    dev_t m_device = 0;
};

} // namespace ym
