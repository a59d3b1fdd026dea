#include "app/cli/containment_option.h"

#include "app/cli/job_json.h"
#include "app/cli/words.h"
#include "core/worker/limit_text.h"

#include <QLocale>

#include <array>

namespace ym::cli {

namespace {

constexpr std::array levels{ContainmentLevel::Bubblewrap, ContainmentLevel::Confined, ContainmentLevel::LimitsOnly};

QString orNone(qint64 value, const QString &text)
{
    return value > 0 ? text : tr("none");
}

} // namespace

void ContainmentOption::define(OptionSet *options)
{
    options->text("--containment", &word,
                  "The best level to use: bubblewrap, confined (Landlock and seccomp), or limits, which lets jobs see "
                  "all your files and is used only when it is named here");
}

Result<void> ContainmentOption::check() const
{
    for (const ContainmentLevel level : levels) {
        if (word == levelName(level))
            return {};
    }
    return failure(ErrorKind::Usage, tr("“%1” is no containment level.").arg(QString::fromUtf8(word)),
                   tr("Use bubblewrap, confined or limits."));
}

ContainmentLevel ContainmentOption::best() const
{
    for (const ContainmentLevel level : levels) {
        if (word == levelName(level))
            return level;
    }
    return ContainmentLevel::Bubblewrap;
}

void printContainment(Console *console, const Containment &found, const Interpreter &row, const RunGrant &grant)
{
    const JobAccess whole = combined(row.access, grant.access);
    const bool wantsConsent = found.level == ContainmentLevel::LimitsOnly && !grant.limitsOnly;
    const bool isRefused = wantsConsent || found.level == ContainmentLevel::Refused;
    const RunLimits &limits = row.limits;
    if (console->isJson()) {
        Json json;
        json["level"] = levelName(found.level);
        json["scope"] = found.hasScope;
        json["reason"] = found.reason.toStdString();
        json["refused"] = isRefused;
        json["access"] = toJson(whole);
        json["limits"] = limitsToJson(limits);
        console->json(json);
        return;
    }
    const QLocale locale = QLocale::c();
    const auto line = [console](const QString &label, const QString &value) {
        console->line(label.leftJustified(14) + value);
    };
    line(tr("level"), QLatin1String(levelName(found.level)));
    line(tr("jobs are"), containmentText(found));
    if (isRefused)
        line(tr("jobs run"), wantsConsent ? tr("no, unless you agree to it with --containment limits") : tr("no"));
    line(tr("access"), whole.isEmpty() ? tr("its own folder only") : accessText(whole));
    line(tr("cpu"), orNone(limits.cpu.count(), tr("%1 s, or the timeout when that is longer").arg(limits.cpu.count())));
    line(tr("memory"), orNone(limits.memoryBytes, locale.formattedDataSize(limits.memoryBytes)));
    line(tr("address space"), orNone(limits.addressBytes, tr("%1 for each process").arg(locale.formattedDataSize(limits.addressBytes))));
    line(tr("files"), tr("%1 in all, %2 each, %3 of them")
                          .arg(locale.formattedDataSize(limits.diskBytes), locale.formattedDataSize(limits.fileBytes),
                               QString::number(limits.files)));
    line(tr("processes"), orNone(limits.processes, QString::number(limits.processes)));
    line(tr("open files"), orNone(limits.openFiles, QString::number(limits.openFiles)));
}

} // namespace ym::cli
