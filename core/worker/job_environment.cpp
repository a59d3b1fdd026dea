#include "core/worker/job_environment.h"

#include <algorithm>
#include <array>

namespace ym {

namespace {

constexpr std::array droppedNames{"PATH", "PYTHONSTARTUP", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV", "ENV", "IFS"};
constexpr std::array droppedPrefixes{"LD_", "DYLD_", "GIT_"};

bool isName(const QByteArray &name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.isEmpty() && isLetter(name[0])
        && std::all_of(name.begin(), name.end(), [&](char c) { return isLetter(c) || isDigit(c); });
}

QByteArray searchPath()
{
    QList<QByteArray> folders;
    for (const QByteArray &folder : qgetenv("PATH").split(':')) {
        if (folder.startsWith('/'))
            folders.append(folder);
    }
    return folders.isEmpty() ? QByteArrayLiteral("/usr/local/bin:/usr/bin:/bin") : folders.join(':');
}

void set(QList<ByteField> &variables, const QByteArray &name, const QByteArray &value)
{
    if (value.contains('\0'))
        return;
    const auto same = [&name](const ByteField &field) { return field.first == name; };
    if (const auto known = std::find_if(variables.begin(), variables.end(), same); known != variables.end())
        known->second = value;
    else
        variables.append({name, value});
}

} // namespace

bool isAllowedVariable(const QByteArray &name)
{
    const auto dropsAs = [&name](const char *dropped) { return name == dropped; };
    const auto startsAs = [&name](const char *prefix) { return name.startsWith(prefix); };
    return isName(name) && std::none_of(droppedNames.begin(), droppedNames.end(), dropsAs)
        && std::none_of(droppedPrefixes.begin(), droppedPrefixes.end(), startsAs);
}

QList<QByteArray> jobEnvironment(const Job &job, const QByteArray &folder)
{
    QList<ByteField> variables;
    set(variables, "PATH", searchPath());
    set(variables, "HOME", folder);
    set(variables, "TMPDIR", folder);
    set(variables, "LANG", "C.UTF-8");
    for (const auto &[name, value] : job.env) {
        if (isAllowedVariable(name))
            set(variables, name, value);
    }
    set(variables, "JOB_ID", job.id);
    set(variables, "CALLER_ID", job.callerId);
    set(variables, "CONTEXT_ID", job.contextId);
    set(variables, "JOB_ATTEMPT", QByteArray::number(job.attempt));
    QList<QByteArray> entries;
    for (const auto &[name, value] : std::as_const(variables))
        entries.append(name + '=' + value);
    return entries;
}

} // namespace ym
