// What commands may ask of the log.
#pragma once

#include <QByteArray>

namespace ym::embedded {

/// INFO persistence and CONFIG GET; sizes in bytes, times in seconds, -1 = never or not now.
struct PersistenceFacts {
    QByteArray fsync; ///< always, everysec, no
    int rewritePercentage = 0;
    qint64 rewriteMinSize = 0;
    qint64 currentSize = 0;
    qint64 baseSize = 0; ///< after the last compaction
    qint64 bufferSize = 0; ///< not written yet
    qint64 lastSave = 0; ///< when everything was on disk, in seconds since 1970
    bool isRewriting = false;
    bool lastRewriteWorked = true;
    bool lastWriteWorked = true;
    qint64 rewriteCount = 0;
    qint64 lastRewriteTime = -1;
    qint64 currentRewriteTime = -1;
};

/// The log as commands see it: BGREWRITEAOF, SAVE and INFO. One thread.
class Persistence {
public:
    virtual ~Persistence() = default;
    virtual PersistenceFacts facts() const = 0;
    /// Begins a compaction. Returns the error reply, empty = it has begun.
    virtual QByteArray startRewrite() = 0;
    /// Brings everything to disk before it returns. Returns the error reply, empty = it is there.
    virtual QByteArray save() = 0;
    /// Brings everything to disk soon.
    virtual QByteArray saveSoon() = 0;
};

} // namespace ym::embedded
