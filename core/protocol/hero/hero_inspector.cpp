#include "core/protocol/hero/hero_inspector.h"

#include "core/base/text.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/replies.h"
#include "core/protocol/hero/scripts.h"

#include <QCoreApplication>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr qsizetype recordsPerTrip = 500;
constexpr int mostFields = 2'000; ///< of one record that are shown

Command summaryCommand(const QByteArray &id)
{
    Command command = cmd("HMGET", keys::job(id));
    return command.addAll(summaryFields());
}

/// Nothing when the job is gone: no field of an HMGET is there. Such a record without any of our fields is none of ours
/// either, but for one that holds another type.
std::optional<JobSummary> summaryOf(const QByteArray &id, const Reply &reply)
{
    if (reply.isError())
        return invalidSummary(id);
    const std::vector<Reply> &values = reply.toArray();
    if (std::all_of(values.begin(), values.end(), [](const Reply &value) { return value.isNil(); }))
        return std::nullopt;
    return readSummary(id, reply.toList());
}

} // namespace

HeroInspector::HeroInspector(Store *store, ProtocolOptions options)
    : m_store(store)
    , m_options(options)
    , m_limit(store)
    , m_census(store)
    , m_orders(options.order)
{
}

QCoro::Task<Inspector::JobPage> HeroInspector::jobs(QByteArray cursor)
{
    const QByteArray from = cursor.isEmpty() ? QByteArray("0") : cursor;
    if (cursor.isEmpty())
        m_limit.restart();
    co_await m_limit.countPage();
    const Command scan = cmd("SCAN", from, "MATCH", keys::jobPattern(), "COUNT", ScanLimit::keysPerPage, "TYPE", "hash");
    const Reply reply = co_await m_store->command(scan);
    const std::vector<Reply> &parts = reply.toArray();
    if (parts.size() != 2)
        throw StoreError(ErrorKind::Protocol,
                         QCoreApplication::translate("ym::HeroInspector", "SCAN answered in an unexpected shape."));
    QList<QByteArray> ids;
    for (const Reply &key : parts[1].toArray())
        ids.append(keys::jobId(key.toBytes()));
    JobPage page;
    page.jobs = co_await summaries(ids);
    const QByteArray next = parts[0].toBytes();
    page.cursor = next == "0" ? QByteArray() : next;
    co_return page;
}

QCoro::Task<qint64> HeroInspector::estimateJobs()
{
    const Reply size = co_await m_store->command(cmd("DBSIZE"));
    co_return size.toInteger();
}

QCoro::Task<std::vector<JobSummary>> HeroInspector::summaries(QList<QByteArray> ids)
{
    std::vector<JobSummary> list;
    list.reserve(size_t(ids.size()));
    for (qsizetype from = 0; from < ids.size(); from += recordsPerTrip) {
        const QList<QByteArray> part = ids.mid(from, recordsPerTrip);
        std::vector<Command> commands;
        for (const QByteArray &id : part)
            commands.push_back(summaryCommand(id));
        const std::vector<Reply> replies = co_await m_store->pipeline(commands);
        for (size_t i = 0; i < replies.size(); ++i) {
            auto summary = summaryOf(part[qsizetype(i)], replies[i]);
            if (!summary)
                continue;
            m_census.sawTarget(summary->target);
            list.push_back(std::move(*summary));
        }
    }
    co_return list;
}

QCoro::Task<Inspector::Detail> HeroInspector::job(QByteArray id, qint64 preview)
{
    const QList<QByteArray> args =
        QList<QByteArray>{QByteArray::number(std::max<qint64>(preview, 0)), QByteArray::number(mostFields)} + jobFields();
    const Reply reply = co_await look(script("detail"), keys::job(id), args);
    const std::vector<Reply> &parts = reply.toArray();
    if (parts.empty())
        throw StoreError(ErrorKind::NotFound,
                         QCoreApplication::translate("ym::HeroInspector", "There is no job %1.")
                             .arg(shownText(id, Lines::Flatten, 80)));
    Detail detail;
    QList<ByteField> fields;
    for (size_t i = 0; i + 2 < parts.size(); i += 3) {
        fields.append({parts[i].toBytes(), parts[i + 1].toBytes()});
        const qint64 size = parts[i + 2].toInteger();
        if (size > fields.last().second.size())
            detail.fullSize.insert(fields.last().first, size);
    }
    detail.job = readJob(id, std::move(fields), detail.fullSize);
    if (parts.back().toInteger() > mostFields)
        detail.job.problems.append(
            QCoreApplication::translate("ym::HeroInspector", "The record has more than %1 fields; the others are not shown.")
                .arg(mostFields));
    co_return detail;
}

QCoro::Task<Inspector::FieldPart> HeroInspector::fieldPart(QByteArray id, QByteArray field, qint64 from, qint64 count)
{
    const QList<QByteArray> args{field, QByteArray::number(from), QByteArray::number(count)};
    const Reply reply = co_await look(script("field_part"), keys::job(id), args);
    const std::vector<Reply> &parts = reply.toArray();
    if (parts.size() != 2)
        throw StoreError(ErrorKind::NotFound,
                         QCoreApplication::translate("ym::HeroInspector", "The job %1 has no field “%2”.")
                             .arg(shownText(id, Lines::Flatten, 80), shownText(field, Lines::Flatten, 80)));
    co_return FieldPart{parts[0].toBytes(), parts[1].toInteger()};
}

/// Runs a script that only reads with EVAL_RO, which a user who may only look has; where the store lacks it, as an
/// ordinary script.
QCoro::Task<Reply> HeroInspector::look(const Script *script, QByteArray key, QList<QByteArray> args)
{
    const QList<QByteArray> keyList{key};
    Command read = cmd("EVAL_RO", script->text, 1);
    read.addAll(keyList).addAll(args);
    std::optional<Reply> reply;
    try {
        reply = co_await m_store->command(read);
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::Server && e.kind() != ErrorKind::Permission)
            throw;
    }
    if (!reply)
        reply = co_await m_store->script(script, keyList, args);
    co_return std::move(*reply);
}

} // namespace ym::hero
