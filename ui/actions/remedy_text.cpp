#include "ui/actions/remedy_text.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <QCoreApplication>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::RemedyText", text);
}

} // namespace

QString remedyText(const Remedy &remedy)
{
    switch (remedy.kind) {
    case Remedy::Kind::None:
        break;
    case Remedy::Kind::StartWorker:
        return tr("Start a worker…");
    case Remedy::Kind::Requeue:
        return counted(remedy.jobs.size(), tr("Requeue…"), tr("Requeue %1 jobs…"));
    case Remedy::Kind::Retry:
        if (remedy.jobs.size() == 1)
            return tr("Retry %1").arg(shortId(remedy.jobs.constFirst()).replace(u'&', QStringLiteral("&&")));
        return counted(remedy.jobs.size(), {}, tr("Retry %1 jobs…"));
    }
    return {};
}

} // namespace ym
