#include "core/protocol/hero/job_codec.h"

#include "core/base/text.h"
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/run_codec.h"

#include <QCoreApplication>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr int attemptLimit = 1'000'000'000;
constexpr int retryLimit = 1'000'000;
constexpr qsizetype shownStatusLimit = 64;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroJob", text);
}

/// A record as a lookup by any spelling of a field.
class Record {
public:
    /// `fields` are sorted by name.
    explicit Record(QList<ByteField> fields)
        : m_fields(std::move(fields))
    {
    }

    const QList<ByteField> &fields() const { return m_fields; }

    /// The first spelling that is there and not empty; nothing when none is.
    std::optional<QByteArray> find(std::initializer_list<const char *> spellings) const
    {
        for (const char *spelling : spellings) {
            const QByteArrayView wanted(spelling);
            const auto field = std::lower_bound(m_fields.cbegin(), m_fields.cend(), wanted, isBefore);
            if (field != m_fields.cend() && field->first == wanted && !field->second.isEmpty())
                return field->second;
        }
        return std::nullopt;
    }
    QByteArray text(std::initializer_list<const char *> spellings) const
    {
        return find(spellings).value_or(QByteArray());
    }

private:
    static bool isBefore(const ByteField &field, QByteArrayView name) { return field.first < name; }

    QList<ByteField> m_fields;
};

QList<ByteField> sorted(QList<ByteField> fields)
{
    std::sort(fields.begin(), fields.end());
    return fields;
}

/// Reads the fields that a table shows, for both a full job and a summary.
template <typename Into> void readPlace(const Record &record, Into &into)
{
    into.target.type = record.text({"script_type", "scriptType"}).left(256).toLower();
    into.target.group = record.text({"group"});
    into.target.instance = record.text({"instance"});
    into.target.legacyWorker = record.text({"worker_id", "actor_id", "actorId"});
    into.target.priority = readCount(record.text({"priority"}), 0, 2).value_or(1);
    into.callerId = record.text({"caller_id", "callerId"});
    into.contextId = record.text({"context_id", "contextId"});
    into.claimedBy = record.text({"claimed_by"});
    into.createdAt = parseTimestamp(record.text({"created_at", "createdAt"}));
    into.updatedAt = parseTimestamp(record.text({"updated_at", "updatedAt"}));
    into.attempt = readCount(record.text({"attempt"}), 0, attemptLimit).value_or(0);
    if (readStatus(record.text({"status"})) == JobState::Running)
        into.progress = readProgress(record.text({"progress"})).value_or(JobProgress());
}

/// A dispatched job with a time waits for that time; one on the dead list is given up (both ours).
JobState readState(const Record &record)
{
    const JobState state = readStatus(record.text({"status"})).value_or(JobState::Unknown);
    const bool isDead = record.find({"dead_reason"}).has_value();
    if (isDead && (state == JobState::Failed || state == JobState::Unknown))
        return JobState::Dead;
    if (state == JobState::Queued && record.find({"not_before"}))
        return JobState::Scheduled;
    return state;
}

/// Reads the values of one record and collects what is wrong with them.
class JobReader {
public:
    JobReader(const QByteArray &id, QList<ByteField> fields, const QHash<QByteArray, qint64> &cut)
        : m_record(sorted(std::move(fields)))
        , m_cut(cut)
    {
        m_job.id = id;
        m_job.raw = m_record.fields();
    }

    Job read()
    {
        readPlace(m_record, m_job);
        m_job.state = readState(m_record);
        m_job.statusText = m_record.text({"status"});
        m_job.script = m_record.text({"script", "payload"});
        m_job.logPath = m_record.text({"log_path", "logPath"});
        m_job.output = m_record.text({"output"});
        m_job.error = m_record.text({"error"});
        m_job.startedAt = parseTimestamp(m_record.text({"started_at"}));
        m_job.finishedAt = parseTimestamp(m_record.text({"finished_at"}));
        m_job.notBefore = parseTimestamp(m_record.text({"not_before"}));
        readNumbers();
        readLists();
        readOurs();
        checkRest();
        return std::move(m_job);
    }

private:
    /// Reads a field when it is there; an unreadable one is a problem.
    template <typename Reader>
    auto field(std::initializer_list<const char *> spellings, Reader reader, const char *expected)
    {
        const std::optional<QByteArray> text = m_record.find(spellings);
        auto value = text ? reader(*text) : decltype(reader(QByteArray())){};
        const auto isCut = [this](const char *spelling) { return m_cut.contains(spelling); };
        if (text && !value && std::any_of(spellings.begin(), spellings.end(), isCut))
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "%1 is too long to be read here.")).arg(QLatin1String(*spellings.begin())));
        else if (text && !value)
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "%1 is “%2”; %3 was expected."))
                        .arg(QLatin1String(*spellings.begin()), shownText(*text, Lines::Flatten, 40), say(expected)));
        return value;
    }

    void readNumbers()
    {
        const char *number = QT_TRANSLATE_NOOP("ym::HeroJob", "a number in range");
        m_job.timeout = field({"timeout"}, readTimeout, QT_TRANSLATE_NOOP("ym::HeroJob", "a time in seconds"))
                            .value_or(std::chrono::seconds{300});
        const auto upTo = [](int most) { return [most](const QByteArray &t) { return readCount(t, 0, most); }; };
        m_job.retries = field({"retries"}, upTo(retryLimit), number).value_or(0);
        field({"attempt"}, upTo(attemptLimit), number);
        field({"priority"}, upTo(2), QT_TRANSLATE_NOOP("ym::HeroJob", "0, 1 or 2"));
        m_job.concurrent =
            field({"concurrent"}, readBool, QT_TRANSLATE_NOOP("ym::HeroJob", "true or false")).value_or(false);
        const char *time = QT_TRANSLATE_NOOP("ym::HeroJob", "a date and time");
        field({"created_at", "createdAt"}, parseTimestamp, time);
        field({"updated_at", "updatedAt"}, parseTimestamp, time);
        field({"started_at"}, parseTimestamp, time);
        field({"finished_at"}, parseTimestamp, time);
    }

    void readLists()
    {
        const char *ids = QT_TRANSLATE_NOOP("ym::HeroJob", "a list of job ids");
        m_job.prerequisites = field({"prerequisites"}, readIds, ids).value_or(QList<QByteArray>{});
        const auto also = field({"dependencies"}, readIds, ids).value_or(QList<QByteArray>{});
        QSet<QByteArray> known(m_job.prerequisites.cbegin(), m_job.prerequisites.cend());
        for (const QByteArray &id : also) {
            if (!known.contains(id))
                m_job.prerequisites.append(id);
        }
        m_job.dependents = field({"dependents"}, readIds, ids).value_or(QList<QByteArray>{});
        if (known.contains(m_job.id) || also.contains(m_job.id))
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The job waits for itself.")));
        const auto environment =
            field({"env_vars"}, readEnvironment, QT_TRANSLATE_NOOP("ym::HeroJob", "a JSON object of texts"));
        if (!environment)
            return;
        m_job.env = environment->variables;
        if (environment->dropped > 0)
            problem(
                say(QT_TRANSLATE_NOOP("ym::HeroJob", "env_vars: %1 members that cannot be variables were left out."))
                    .arg(environment->dropped));
    }

    void readOurs()
    {
        m_job.runs = readRuns(m_job.raw);
        const char *optIns = QT_TRANSLATE_NOOP("ym::HeroJob", "a JSON object of opt-ins");
        m_job.access = field({"access"}, readAccess, optIns).value_or(JobAccess{});
    }

    void checkRest()
    {
        const auto id = m_record.find({"id"});
        if (id && *id != m_job.id)
            problem(
                say(QT_TRANSLATE_NOOP("ym::HeroJob", "The field id says “%1”, the key says otherwise; the key counts."))
                    .arg(shownText(*id, Lines::Flatten, 60)));
        if (m_job.statusText.isEmpty())
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The record has no status.")));
        else if (!readStatus(m_job.statusText))
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The status “%1” is unknown."))
                        .arg(shownText(m_job.statusText, Lines::Flatten, 40)));
        if (m_job.script.isEmpty())
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The record has no script.")));
        if (m_job.target.type.isEmpty() && m_job.target.legacyWorker.isEmpty())
            problem(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The record has no script_type.")));
    }

    void problem(const QString &sentence) { m_job.problems.append(sentence); }

    Record m_record;
    const QHash<QByteArray, qint64> &m_cut;
    Job m_job;
};

} // namespace

Job readJob(const QByteArray &id, QList<ByteField> fields, const QHash<QByteArray, qint64> &cut)
{
    return JobReader(id, std::move(fields), cut).read();
}

ClaimedReader::ClaimedReader(std::span<const Reply> common)
{
    enum : size_t { Type, Timeout, Concurrent, Env, Caller, Context, Retries, Attempt, Worker, LogPath, Access };
    static constexpr const char *names[] = {"script_type", "timeout",    "concurrent", "env_vars",
                                            "caller_id",   "context_id", "retries",    "attempt",
                                            "worker_id",   "log_path",   "access"};
    const auto text = [common](size_t place) { return place < common.size() ? common[place].string : QByteArray(); };
    const QByteArray optIns = text(Access);
    const auto timeout = readTimeout(text(Timeout));
    const auto concurrent = readBool(text(Concurrent));
    auto environment = readEnvironment(text(Env));
    const auto access = optIns.isEmpty() ? JobAccess{} : readAccess(optIns);
    const auto retries = text(Retries).isEmpty() ? 0 : readCount(text(Retries), 0, retryLimit);
    const int attempt = 1 + readCount(text(Attempt), 0, attemptLimit).value_or(0);
    if (!timeout || !concurrent || !environment || environment->dropped > 0 || !access || !retries) {
        m_fields.append(ByteField("status", "started"));
        for (size_t i = 0; i < std::size(names); ++i)
            m_fields.append({names[i], i == Attempt ? QByteArray::number(attempt) : text(i)});
        return;
    }
    Job &job = m_common.emplace();
    job.target.type = text(Type).left(256).toLower();
    job.timeout = *timeout;
    job.concurrent = *concurrent;
    job.env = std::move(environment->variables);
    job.access = *access;
    job.callerId = text(Caller);
    job.contextId = text(Context);
    job.retries = *retries;
    job.attempt = attempt;
    job.target.legacyWorker = text(Worker);
    job.logPath = text(LogPath);
    job.state = JobState::Running;
    job.statusText = "started";
}

Job ClaimedReader::read(const QByteArray &id, const QByteArray &script) const
{
    if (!m_common)
        return readJob(id, m_fields + QList<ByteField>{{"script", script}});
    Job job = *m_common;
    job.id = id;
    job.script = script;
    if (script.isEmpty())
        job.problems.append(say(QT_TRANSLATE_NOOP("ym::HeroJob", "The record has no script.")));
    return job;
}

const QList<QByteArray> &summaryFields()
{
    static const QList<QByteArray> names{
        // sorted, because a record is
        "access",     "actorId",    "actor_id",    "attempt",     "callerId",  "caller_id",  "claimed_by", "contextId",
        "context_id", "createdAt",  "created_at",  "dead_reason", "group",     "instance",   "not_before", "priority",
        "progress",   "scriptType", "script_type", "status",      "updatedAt", "updated_at", "worker_id",
    };
    return names;
}

const QList<QByteArray> &jobFields()
{
    static const QList<QByteArray> names = summaryFields()
        + QList<QByteArray>{"concurrent", "dependencies", "dependents", "env_vars", "error", "finished_at", "id", "log_path", "logPath",
                            "output", "payload", "prerequisites", "retries", "script", "started_at", "timeout"};
    return names;
}

JobSummary readSummary(const QByteArray &id, const QList<QByteArray> &values)
{
    const QList<QByteArray> &names = summaryFields();
    QList<ByteField> fields;
    fields.reserve(names.size());
    for (qsizetype i = 0; i < std::min(names.size(), values.size()); ++i)
        fields.append({names[i], values[i]});
    const Record record(fields);
    JobSummary summary;
    summary.id = id;
    readPlace(record, summary);
    summary.state = readState(record);
    if (summary.state == JobState::Unknown)
        summary.statusText = record.text({"status"}).left(shownStatusLimit);
    if (const std::optional<QByteArray> access = record.find({"access"}))
        summary.access = readAccess(*access).value_or(JobAccess{});
    return summary;
}

JobSummary invalidSummary(const QByteArray &id)
{
    JobSummary summary;
    summary.id = id;
    summary.invalid = true;
    return summary;
}

DraftFields writeDraft(const Job &draft)
{
    DraftFields fields;
    const auto always = [&fields](const char *name, const QByteArray &value) { fields.written.append({name, value}); };
    const auto optional = [&](const char *name, const QByteArray &value) {
        if (value.isEmpty())
            fields.absent.append(name);
        else
            always(name, value);
    };
    // What a claim looks at comes first: Redis looks a field of a small hash up from its front.
    always("id", draft.id);
    always("script", draft.script);
    always("script_type", draft.target.type);
    always("timeout", QByteArray::number(qint64(draft.timeout.count())));
    always("concurrent", draft.concurrent ? "true" : "false");
    always("env_vars", writeEnvironment(draft.env));
    always("caller_id", draft.callerId);
    always("context_id", draft.contextId);
    always("retries", QByteArray::number(draft.retries));
    always("prerequisites", writeIds(draft.prerequisites));
    optional("worker_id", draft.target.legacyWorker);
    optional("group", draft.target.group);
    optional("instance", draft.target.instance);
    optional("priority", draft.target.priority == 1 ? QByteArray() : QByteArray::number(draft.target.priority));
    optional("log_path", draft.logPath);
    optional("access", writeAccess(draft.access));
    return fields;
}

} // namespace ym::hero
