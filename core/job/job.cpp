#include "core/job/job.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QUuid>

#include <array>

namespace ym {

namespace {

constexpr std::array<const char *, jobStateCount> stateNames{"unknown", "waiting",  "scheduled", "queued",
                                                             "running", "finished", "failed",    "dead"};

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Job", text);
}

/// `pattern` is a literal: it is compiled once for each thread.
bool matches(const char *pattern, const QByteArray &value)
{
    static thread_local QHash<const char *, QRegularExpression> compiled;
    QRegularExpression &re = compiled[pattern];
    if (re.pattern().isEmpty())
        re.setPattern(QRegularExpression::anchoredPattern(QLatin1String(pattern)));
    return re.match(QString::fromUtf8(value)).hasMatch();
}

QString envProblem(const QList<ByteField> &env)
{
    QSet<QByteArray> seen;
    for (const auto &[name, value] : env) {
        if (!matches("[A-Za-z_][A-Za-z0-9_]*", name))
            return tr("“%1” is not a variable name. Use letters, digits and _, and do not start with a digit.")
                .arg(shownText(name, Lines::Flatten, 60));
        if (seen.contains(name))
            return tr("The variable %1 is there twice. Remove one.").arg(shownText(name, Lines::Flatten, 60));
        if (value.contains('\0'))
            return tr("The value of %1 holds a NUL byte, which no environment can carry.")
                .arg(shownText(name, Lines::Flatten, 60));
        seen.insert(name);
    }
    return {};
}

QString prerequisitesProblem(const Job &draft)
{
    QSet<QByteArray> seen;
    for (const QByteArray &id : draft.prerequisites) {
        if (id.isEmpty())
            return tr("A prerequisite has no id.");
        if (id == draft.id)
            return tr("A job cannot wait for itself.");
        if (seen.contains(id))
            return tr("The prerequisite %1 is there twice. Remove one.").arg(shownText(id, Lines::Flatten, 60));
        seen.insert(id);
    }
    return {};
}

} // namespace

const char *stateName(JobState state)
{
    return stateNames.at(size_t(state));
}

std::optional<JobState> stateFromName(const QByteArray &name)
{
    const QByteArray lower = name.toLower();
    for (size_t i = 0; i < stateNames.size(); ++i) {
        if (lower == stateNames[i])
            return JobState(i);
    }
    return std::nullopt;
}

QByteArray newJobId()
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

QList<FieldProblem> validateDraft(const Job &draft)
{
    QList<FieldProblem> problems;
    const auto check = [&problems](bool ok, const char *field, const QString &message) {
        if (!ok)
            problems.append({field, message});
    };
    const char *part = "[A-Za-z0-9_.-]{0,64}";
    check(matches("[a-z0-9_-]{1,64}", draft.target.type), "type",
          draft.target.type.isEmpty() ? tr("Choose a type.") : tr("A type is 1 to 64 of a–z, 0–9, _ and -."));
    check(matches(part, draft.target.group), "group", tr("A group is at most 64 of letters, digits, _, . and -."));
    check(matches(part, draft.target.instance), "instance",
          tr("An instance is at most 64 of letters, digits, _, . and -."));
    check(matches(part, draft.target.legacyWorker), "worker",
          tr("A worker id is at most 64 of letters, digits, _, . and -."));
    check(draft.target.instance.isEmpty() || !draft.target.group.isEmpty(), "group",
          tr("An instance needs its group. Write “default” when the worker has none."));
    check(draft.target.priority >= 0 && draft.target.priority <= 2, "priority", tr("A priority is 0, 1 or 2."));
    check(!draft.script.trimmed().isEmpty(), "script", tr("The script is empty."));
    check(!draft.script.contains('\0'), "script", tr("The script holds a NUL byte; no interpreter reads past it."));
    check(draft.timeout.count() >= 0 && draft.timeout.count() <= 86400, "timeout",
          tr("A timeout is 0 (none) to 86400 seconds."));
    check(draft.retries >= 0 && draft.retries <= 1000, "retries", tr("Retries are 0 to 1000."));
    const QString env = envProblem(draft.env);
    check(env.isEmpty(), "env", env);
    const bool pathOk = !draft.logPath.startsWith('/') && !draft.logPath.split('/').contains("..")
        && !draft.logPath.contains('\0') && draft.logPath.size() <= 1024;
    check(pathOk, "log_path", tr("A log path is relative to the log folder, without “..”."));
    const QString waiting = prerequisitesProblem(draft);
    check(waiting.isEmpty(), "prerequisites", waiting);
    return problems;
}

} // namespace ym
