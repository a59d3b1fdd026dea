// A file that is only appended to and starts over when it is full.
#pragma once

#include "core/worker/confined_folder.h"

namespace ym {

/// Appends to NAME; when that would grow beyond the limit, NAME becomes NAME.1, NAME.1 becomes NAME.2 and so on, and
/// the oldest goes. Several may write to the same file: each looks whether the name still means what it has open.
class RotatingFile {
public:
    struct Limits {
        qint64 bytes = 16 << 20; ///< of one file (RELIABILITY 7.4)
        int files = 5; ///< with the current one; ≥ 1
    };

    static Result<RotatingFile> open(ConfinedFolder::Place place, Limits limits);

    /// Appends all of it or says why not; nothing is ever split over two files unless it is larger than one.
    Result<void> append(const QByteArray &bytes);

private:
    RotatingFile(ConfinedFolder::Place place, Limits limits, FileDescriptor file);
    Result<qint64> currentSize();
    Result<void> rotate();
    QByteArray numbered(int number) const;

    ConfinedFolder::Place m_place;
    Limits m_limits;
    FileDescriptor m_file;
};

} // namespace ym
