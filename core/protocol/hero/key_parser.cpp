// The way back from a key to what it names.
#include "core/protocol/hero/keys.h"

#include <array>

namespace ym::hero::keys {

namespace {

/// Cuts `marker` and what follows off the text; empty when it is not there.
QByteArray cutFrom(QByteArray &text, const char *marker)
{
    const qsizetype at = text.lastIndexOf(marker);
    if (at < 0)
        return {};
    const QByteArray rest = text.mid(at + qsizetype(qstrlen(marker)));
    text.truncate(at);
    return rest;
}

Target parsePlace(QByteArray text)
{
    Target target;
    const QByteArray priority = cutFrom(text, ":prio:");
    if (priority.size() == 1 && priority[0] >= '0' && priority[0] <= '2')
        target.priority = priority[0] - '0';
    else if (!priority.isEmpty())
        text += ":prio:" + priority;
    target.instance = cutFrom(text, ":inst:");
    target.group = cutFrom(text, ":group:");
    target.type = text;
    return target;
}

struct Row {
    const char *prefix;
    QueueKind kind;
};

constexpr std::array rows{
    Row{workPrefix, QueueKind::Work},
    Row{controlPrefix, QueueKind::Control},
    Row{deadPrefix, QueueKind::Dead},
};

/// Legacy keys, named after a worker or a type.
constexpr std::array legacyRows{
    Row{legacyWorkPrefix, QueueKind::Legacy},
    Row{legacyTypePrefix, QueueKind::Legacy},
    Row{legacyStopPrefix, QueueKind::Control},
};

} // namespace

std::optional<QueueKey> parseQueue(const QByteArray &key)
{
    if (key == delayed())
        return QueueKey{QueueKind::Delayed, {}};
    for (const Row &row : rows) {
        if (key.startsWith(row.prefix))
            return QueueKey{row.kind, parsePlace(key.mid(qsizetype(qstrlen(row.prefix))))};
    }
    for (const Row &row : legacyRows) {
        if (!key.startsWith(row.prefix))
            continue;
        QueueKey queue{row.kind, {}};
        const QByteArray name = key.mid(qsizetype(qstrlen(row.prefix)));
        (row.prefix == legacyTypePrefix ? queue.target.type : queue.target.legacyWorker) = name;
        return queue;
    }
    return std::nullopt;
}

std::optional<QueueKey> parseList(const QByteArray &key)
{
    std::optional<QueueKey> queue = parseQueue(key);
    if (!queue && key.startsWith(jobPrefix)) {
        queue.emplace(QueueKey{QueueKind::Legacy, {}});
        queue->target.legacyWorker = jobId(key);
    }
    return queue;
}

std::optional<Target> parsePresence(const QByteArray &key)
{
    if (!key.startsWith(presencePrefix))
        return std::nullopt;
    const QByteArray place = key.mid(qsizetype(sizeof presencePrefix) - 1);
    const qsizetype first = place.indexOf(':');
    const qsizetype last = place.lastIndexOf(':');
    if (first <= 0 || last == first || last + 1 == place.size())
        return std::nullopt;
    Target target;
    target.type = place.left(first);
    target.group = place.mid(first + 1, last - first - 1);
    target.instance = place.mid(last + 1);
    return target;
}

} // namespace ym::hero::keys
