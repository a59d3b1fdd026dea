// Finds the lines of a log that match, in the background.
#pragma once

#include "models/log_index.h"

#include <QObject>
#include <QRegularExpression>
#include <QTimer>

namespace ym {

/// Reads the file a block at a time and can be given up at any time. Rows are counted as LogLines
/// does, and matched as it shows them. GUI thread; the work is done on the thread pool.
class LogSearch final : public QObject {
    Q_OBJECT
public:
    static constexpr size_t mostKept = 1'000'000; ///< rows; what is over is only counted

    /// What is looked for. A regular expression that would go on for ever ends without a match (PCRE2, LIMIT_MATCH).
    struct Query {
        enum class Kind : quint8 { Text, Expression };
        QString text;
        Kind kind = Kind::Text;
        Qt::CaseSensitivity caseSensitivity = Qt::CaseInsensitive;
        bool operator==(const Query &) const = default;
    };
    static QRegularExpression expressionOf(const Query &query);

    explicit LogSearch(QObject *parent = nullptr);
    ~LogSearch() override;

    /// Looks through the first `size` bytes, from `from` to their end and then from their beginning to there. An
    /// expression that is not valid finds nothing.
    void start(std::shared_ptr<QFile> file, qint64 size, const QRegularExpression &expression, LogPlace from = {});
    /// What was found stays.
    void cancel();
    void clear();

    bool isRunning() const { return bool(m_work); }
    qint64 matchingRows() const { return m_count; }
    /// Of the bytes, 0…100.
    int percent() const { return m_percent; }
    /// Rows that match, ascending.
    const std::vector<qint64> &rows() const { return m_rows; }
    /// The first one behind `row`, or before it; -1: none.
    qint64 after(qint64 row) const;
    qint64 before(qint64 row) const;

Q_SIGNALS:
    /// More was found, or it ended.
    void changed();

private:
    struct Work;
    static void work(const std::shared_ptr<Work> &job);
    void gather();

    std::shared_ptr<Work> m_work;
    std::vector<qint64> m_rows;
    size_t m_early = 0; ///< how many of them lie before the place where it began
    qint64 m_count = 0;
    int m_percent = 0;
    QTimer m_poll;
};

} // namespace ym
