#include "core/job/containment.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Containment", text);
}

QStringList united(QStringList a, const QStringList &b)
{
    a.append(b);
    a.removeDuplicates();
    return a;
}

bool isBeneath(const QString &path, const QStringList &folders)
{
    const QString clean = QDir::cleanPath(path);
    return std::any_of(folders.begin(), folders.end(), [&clean](const QString &granted) {
        const QString folder = QDir::cleanPath(granted);
        return clean == folder || folder == QLatin1String("/") || clean.startsWith(folder + u'/');
    });
}

} // namespace

const char *levelName(ContainmentLevel level)
{
    switch (level) {
    case ContainmentLevel::Bubblewrap:
        return "bubblewrap";
    case ContainmentLevel::Confined:
        return "confined";
    case ContainmentLevel::LimitsOnly:
        return "limits";
    case ContainmentLevel::Refused:
        return "refused";
    }
    return "";
}

QString containmentText(const Containment &containment)
{
    QString text;
    switch (containment.level) {
    case ContainmentLevel::Bubblewrap:
        text = containment.hasScope ? tr("contained by bubblewrap and a systemd scope") : tr("contained by bubblewrap");
        break;
    case ContainmentLevel::Confined:
        text = tr("contained by Landlock and seccomp");
        break;
    case ContainmentLevel::LimitsOnly:
        text = tr("contained by limits only");
        break;
    case ContainmentLevel::Refused:
        text = tr("cannot be contained");
        break;
    }
    return containment.reason.isEmpty() ? text : text + QStringLiteral(": ") + containment.reason;
}

JobAccess combined(const JobAccess &a, const JobAccess &b)
{
    return {a.network || b.network, united(a.readable, b.readable), united(a.writable, b.writable)};
}

QString notGranted(const JobAccess &asked, const JobAccess &granted)
{
    if (asked.network && !granted.network)
        return tr("The job asks for the network, which this worker does not give.");
    for (const QString &path : asked.readable) {
        if (!isBeneath(path, granted.readable) && !isBeneath(path, granted.writable))
            return tr("The job asks to read %1, which this worker does not give.").arg(path);
    }
    for (const QString &path : asked.writable) {
        if (!isBeneath(path, granted.writable))
            return tr("The job asks to write %1, which this worker does not give.").arg(path);
    }
    return {};
}

QString accessText(const JobAccess &access)
{
    QStringList parts;
    if (access.network)
        parts.append(tr("network"));
    if (!access.readable.isEmpty())
        parts.append(tr("reads %1").arg(access.readable.join(QStringLiteral(", "))));
    if (!access.writable.isEmpty())
        parts.append(tr("writes %1").arg(access.writable.join(QStringLiteral(", "))));
    return parts.join(QStringLiteral(", "));
}

} // namespace ym
