#include "core/store/script.h"

#include <QCryptographicHash>
#include <QFile>
#include <QHash>
#include <QMutex>

#include <memory>

namespace ym {

const Script &Script::load(const char *name)
{
    static QMutex mutex;
    static QHash<QByteArray, std::shared_ptr<const Script>> loaded;
    const QMutexLocker lock(&mutex);
    auto &entry = loaded[name];
    if (!entry) {
        QFile file(QStringLiteral(":/lua/%1.lua").arg(QLatin1String(name)));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("the script %s is missing from the resources", name);
        const QByteArray text = file.readAll();
        entry = std::make_shared<const Script>(
            Script{name, text, QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()});
    }
    return *entry;
}

} // namespace ym
