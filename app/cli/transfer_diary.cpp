#include "app/cli/transfer_diary.h"

#include "app/cli/job_json.h"
#include "app/cli/words.h"

#include "core/base/text.h"

#include <QLocale>

#include <cstring>

namespace ym::cli {

using namespace std::chrono_literals;
using transfer::Fate;
using transfer::KeyType;
using transfer::Tally;

namespace {

constexpr Monotonic progressInterval = 1s;
constexpr int namedKeys = 20; ///< of each fate, for a person
constexpr qsizetype shownKeyLength = 200;

struct FateRow {
    const char *word; ///< in JSON
    const char *sentence;
};

/// What is said of a key in a pass; the fates that are not named have no sentence.
FateRow rowOf(Fate fate, bool isVerified)
{
    switch (fate) {
    case Fate::Different:
        return isVerified ? FateRow{"different", QT_TRANSLATE_NOOP("ym::cli", "differs")}
                          : FateRow{"exists", QT_TRANSLATE_NOOP("ym::cli", "exists there with something else in it")};
    case Fate::Missing:
        return {"missing", QT_TRANSLATE_NOOP("ym::cli", "is missing there")};
    case Fate::Unsupported:
        return {"unsupported", QT_TRANSLATE_NOOP("ym::cli", "is of a type that cannot be copied")};
    case Fate::Extra:
        return {"extra", QT_TRANSLATE_NOOP("ym::cli", "is only there")};
    case Fate::Copied:
    case Fate::Equal:
    case Fate::Gone:
        break;
    }
    return {"", ""};
}

QString counted(qint64 count)
{
    return QLocale::c().toString(count);
}

QString size(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1, QLocale::DataSizeIecFormat);
}

Json types(const Tally &tally)
{
    Json json = Json::object();
    for (size_t i = 0; i < tally.byType.size(); ++i) {
        if (tally.byType[i] > 0)
            json[transfer::keyTypeName(KeyType(i))] = tally.byType[i];
    }
    return json;
}

QString typesInWords(const Tally &tally)
{
    QStringList words;
    for (size_t i = 0; i < tally.byType.size(); ++i) {
        if (tally.byType[i] > 0)
            words.append(counted(tally.byType[i]) + u' ' + QLatin1String(transfer::keyTypeName(KeyType(i))));
    }
    return words.join(QStringLiteral(", "));
}

} // namespace

void TransferDiary::begin(const char *step, qint64 keys)
{
    m_step = step;
    m_expected = keys;
    m_lastProgress = m_clock->monotonic();
    m_named.fill(0);
}

transfer::TransferListener TransferDiary::listener()
{
    return {[this](const Tally &tally) { onProgress(tally); },
            [this](const QByteArray &key, KeyType type, Fate fate) { onKey(key, type, fate); },
            [this](const Error &error) {
                m_console->remark(error.text() + u' ' + tr("Waiting up to a minute for it."));
            }};
}

void TransferDiary::onProgress(const Tally &tally)
{
    const Monotonic now = m_clock->monotonic();
    if (now - m_lastProgress < progressInterval)
        return;
    m_lastProgress = now;
    if (m_console->isJson()) {
        Json json;
        json["event"] = "progress";
        json["step"] = m_step;
        json["keys"] = tally.keys;
        json["of"] = m_expected > 0 ? Json(m_expected) : Json();
        json["bytes"] = tally.bytes;
        m_console->json(json);
        return;
    }
    const QString step = std::strcmp(m_step, "copy") == 0 ? tr("Copying")
        : std::strcmp(m_step, "verify") == 0              ? tr("Comparing")
                                                          : tr("Looking");
    QString line = tr("%1: %2 keys, %3").arg(step, counted(tally.keys), size(tally.bytes));
    if (m_expected > 0)
        line += tr(" (%1 %)").arg(std::min<qint64>(100, tally.keys * 100 / m_expected));
    m_console->remark(line);
}

void TransferDiary::onKey(const QByteArray &key, KeyType type, Fate fate)
{
    if (fate == Fate::Extra && !m_namesExtra)
        return;
    const bool isVerified = std::strcmp(m_step, "verify") == 0;
    const FateRow row = rowOf(fate, isVerified);
    if (m_console->isJson()) {
        Json json;
        json["event"] = "key";
        json["step"] = m_step;
        json["key"] = toJson(key);
        json["type"] = transfer::keyTypeName(type);
        json["problem"] = row.word;
        m_console->json(json);
        return;
    }
    const int named = ++m_named.at(size_t(fate));
    if (named <= namedKeys)
        m_console->remark(QStringLiteral("  %1  %2").arg(shownText(key, Lines::Flatten, shownKeyLength), tr(row.sentence)));
    else if (named == namedKeys + 1)
        m_console->remark(tr("  … and more, which --json names"));
}

void TransferDiary::plan(const Tally &tally)
{
    const qint64 missing = tally.count(Fate::Missing);
    if (m_console->isJson()) {
        Json json;
        json["event"] = "plan";
        json["from"] = m_from.toStdString();
        json["to"] = m_to.toStdString();
        json["keys"] = tally.keys;
        json["bytes"] = tally.bytes;
        json["types"] = types(tally);
        json["expiring"] = tally.expiring;
        json["missing"] = missing;
        json["equal"] = tally.count(Fate::Equal);
        json["collisions"] = tally.count(Fate::Different);
        json["unsupported"] = tally.count(Fate::Unsupported);
        m_console->json(json);
        return;
    }
    m_console->remark(tr("From %1 to %2.").arg(m_from, m_to));
    m_console->remark(tally.keys == 0 ? tr("There are no keys.")
                                      : tr("%1 keys, about %2: %3; %4 of them expire.")
                                            .arg(counted(tally.keys), size(tally.bytes), typesInWords(tally),
                                                 counted(tally.expiring)));
    m_console->remark(tr("To copy: %1. Equal there already: %2. Different there: %3.")
                          .arg(counted(missing), counted(tally.count(Fate::Equal)), counted(tally.count(Fate::Different))));
}

void TransferDiary::end(const char *outcome, const Tally &copied, const std::optional<Tally> &verified)
{
    if (m_console->isJson()) {
        Json json;
        json["event"] = "ended";
        json["outcome"] = outcome;
        json["keys"] = copied.keys;
        json["copied"] = copied.count(Fate::Copied);
        json["equal"] = copied.count(Fate::Equal);
        json["collisions"] = copied.count(Fate::Different);
        json["unsupported"] = copied.count(Fate::Unsupported);
        json["gone"] = copied.count(Fate::Gone);
        json["verified"] = verified.has_value();
        if (verified) {
            json["different"] = verified->count(Fate::Different);
            json["missing"] = verified->count(Fate::Missing);
            json["extra"] = verified->count(Fate::Extra);
        }
        m_console->json(json);
        return;
    }
    if (copied.count(Fate::Copied) > 0 || verified)
        m_console->line(tr("Copied %1 keys; %2 were there already.")
                            .arg(counted(copied.count(Fate::Copied)), counted(copied.count(Fate::Equal))));
    if (!verified)
        return;
    m_console->line(tr("Compared %1 keys: %2 differ, %3 are missing.")
                        .arg(counted(verified->keys), counted(verified->count(Fate::Different)),
                             counted(verified->count(Fate::Missing))));
    if (verified->count(Fate::Extra) > 0)
        m_console->remark(tr("%1 keys are only in the target.").arg(counted(verified->count(Fate::Extra))));
}

} // namespace ym::cli
