// Reading the append-only log at start.
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QFile>
#include <QList>

#include <functional>
#include <vector>

namespace ym::embedded {

/// Walks a log in Redis's AOF format and hands each command on; transactions only when they are whole. It can be done
/// in steps, so that a long log does not stop the event loop.
///
/// What cannot be read at the end is a torn write and not an error: `validSize()` says where the good part ends. Damage
/// with whole commands behind it is corruption and an error (RELIABILITY E12).
class LogLoader {
public:
    /// Applies one command; returns the reason when it cannot be applied.
    using Apply = std::function<QByteArray(const QList<QByteArray> &args)>;
    /// Damage ends the reading, or is noted in gaps() and left out.
    enum class OnDamage : quint8 { Refuse, Skip };
    /// Bytes that say nothing.
    struct Gap {
        qint64 from = 0;
        qint64 to = 0;
        QString reason;
    };

    explicit LogLoader(Apply apply, OnDamage onDamage = OnDamage::Refuse)
        : m_apply(std::move(apply))
        , m_onDamage(onDamage)
    {
    }

    /// Opens the file; a missing one is an empty log.
    Result<void> open(const QString &path);
    /// Reads the first `size` bytes of a file that is open; `path` is its name for people.
    Result<void> open(int file, const QString &path, qint64 size);
    /// Reads at most `limit` commands; true when there is more to read.
    Result<bool> step(int limit);

    qint64 size() const { return m_bytes.size(); }
    /// Bytes up to the end of the last whole command or transaction.
    qint64 validSize() const { return m_validSize; }
    bool isTorn() const { return m_validSize < m_bytes.size(); }
    /// The bytes behind validSize().
    QByteArray tornBytes() const { return m_bytes.sliced(m_validSize).toByteArray(); }
    qint64 commandCount() const { return m_commands; }
    const std::vector<Gap> &gaps() const { return m_gaps; }
    /// Bytes that were written by the last compaction (KeyspaceWriter::finish); 0 when there was none.
    qint64 baseSize() const { return m_baseSize; }

private:
    Result<void> map(qint64 size);
    Result<void> take(const QList<QByteArray> &args, qint64 at, qint64 next);
    Result<void> endTransaction(qint64 at, qint64 next);
    Result<void> apply(const QList<QByteArray> &args, qint64 at, qint64 next);
    qint64 findCommandsAfter(qint64 offset, int wanted) const;
    Result<void> damaged(qint64 at, qint64 next, const QString &reason);

    Apply m_apply;
    OnDamage m_onDamage;
    std::vector<Gap> m_gaps;
    QString m_path;
    QFile m_file;
    QByteArrayView m_bytes;
    qint64 m_offset = 0;
    qint64 m_validSize = 0;
    qint64 m_commands = 0;
    qint64 m_baseSize = 0;
    QByteArray m_lastSelect; ///< its argument, when the last command was a SELECT
    bool m_isInTransaction = false;
    qint64 m_transactionAt = 0;
    QList<QList<QByteArray>> m_transaction;
};

} // namespace ym::embedded
