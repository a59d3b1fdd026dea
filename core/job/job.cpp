#include "core/job/job.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QSet>
#include <QUuid>

#include <algorithm>
#include <array>

namespace ym {

namespace {

constexpr std::array<const char *, jobStateCount> stateNames{"unknown", "waiting",  "scheduled", "queued",
                                                             "running", "finished", "failed",    "dead",
                                                             "lost"};

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Job", text);
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isOfType(char c)
{
    return (c >= 'a' && c <= 'z') || isDigit(c) || c == '_' || c == '-';
}

bool isOfName(char c)
{
    return isLetter(c) || isDigit(c) || c == '_' || c == '.' || c == '-';
}

/// Other programs name their workers as they like.
bool isOfWorkerId(char c)
{
    return uchar(c) > ' ' && c != '\x7f';
}

bool isOfVariable(char c)
{
    return isLetter(c) || isDigit(c) || c == '_';
}

bool isWord(const QByteArray &value, bool (*isAllowed)(char), qsizetype most = 64)
{
    return value.size() <= most && std::all_of(value.begin(), value.end(), isAllowed);
}

QString envProblem(const QList<ByteField> &env)
{
    QSet<QByteArray> seen;
    for (const auto &[name, value] : env) {
        if (name.isEmpty() || isDigit(name.front()) || !isWord(name, isOfVariable, name.size()))
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
    const auto refuse = [&problems](const char *field, const QString &message) { problems.append({field, message}); };
    if (draft.target.type.isEmpty())
        refuse("type", tr("Choose a type."));
    else if (!isWord(draft.target.type, isOfType))
        refuse("type", tr("A type is 1 to 64 of a–z, 0–9, _ and -."));
    if (!isWord(draft.target.group, isOfName))
        refuse("group", tr("A group is at most 64 of letters, digits, _, . and -."));
    if (!isWord(draft.target.instance, isOfName))
        refuse("instance", tr("An instance is at most 64 of letters, digits, _, . and -."));
    if (!isWord(draft.target.legacyWorker, isOfWorkerId, 128) || !isUtf8(draft.target.legacyWorker))
        refuse("worker", tr("A worker id is at most 128 bytes of text without spaces."));
    if (!draft.target.instance.isEmpty() && draft.target.group.isEmpty())
        refuse("group", tr("An instance needs its group. Write “default” when the worker has none."));
    if (draft.target.priority < 0 || draft.target.priority > 2)
        refuse("priority", tr("A priority is 0, 1 or 2."));
    if (draft.script.trimmed().isEmpty())
        refuse("script", tr("The script is empty."));
    if (draft.script.contains('\0'))
        refuse("script", tr("The script holds a NUL byte; no interpreter reads past it."));
    if (draft.timeout.count() < 0 || draft.timeout.count() > 86400)
        refuse("timeout", tr("A timeout is 0 (none) to 86400 seconds."));
    if (draft.retries < 0 || draft.retries > 1000)
        refuse("retries", tr("Retries are 0 to 1000."));
    if (const QString env = envProblem(draft.env); !env.isEmpty())
        refuse("env", env);
    if (draft.logPath.startsWith('/') || draft.logPath.split('/').contains("..") || draft.logPath.contains('\0')
        || draft.logPath.size() > 1024)
        refuse("log_path", tr("A log path is relative to the log folder, without “..”."));
    if (const QString waiting = prerequisitesProblem(draft); !waiting.isEmpty())
        refuse("prerequisites", waiting);
    return problems;
}

} // namespace ym
