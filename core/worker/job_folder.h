// The private folder that one run works in.
#pragma once

#include "core/base/error.h"

#include <QByteArray>

namespace ym {

/// A fresh folder (0700) under a private root; gone with this object at the latest. Normally the launcher has removed
/// it by then, so that a large one costs the application nothing.
class JobFolder {
public:
    /// Makes the root when it is missing. Io when it cannot be made, belongs to somebody else or is open to others.
    static Result<JobFolder> create(const QString &root);
    /// The root used when none is set: yardmaster-UID in the system's folder for temporary files.
    static QString defaultRoot();

    ~JobFolder();
    JobFolder(JobFolder &&other) noexcept;
    JobFolder &operator=(JobFolder &&other) = delete;

    QByteArray path() const { return m_path; }
    /// Writes a new file (0600) into it and returns its path.
    Result<QByteArray> write(const QByteArray &name, const QByteArray &content) const;

private:
    explicit JobFolder(QByteArray path);
    QByteArray m_path;
};

} // namespace ym
