#include "core/protocol/hero/scripts.h"

#include <QCryptographicHash>
#include <QHash>
#include <QList>
#include <QMutex>

#include <memory>

namespace ym::hero {

namespace {

constexpr char needsMark[] = "-- needs:";

QList<QByteArray> neededBy(const QByteArray &text)
{
    const qsizetype start = text.indexOf(needsMark);
    if (start < 0)
        return {};
    const qsizetype end = text.indexOf('\n', start);
    return text.mid(start + qsizetype(sizeof needsMark) - 1, end - start - qsizetype(sizeof needsMark) + 1)
        .simplified()
        .split(' ');
}

/// Comments and indentation would be sent with every EVAL and kept by the server.
QByteArray stripped(const QByteArray &text)
{
    QByteArray out;
    for (const QByteArray &line : text.split('\n')) {
        const QByteArray code = line.trimmed();
        if (!code.isEmpty() && !code.startsWith("--"))
            out += code + '\n';
    }
    return out;
}

Script compose(const char *name)
{
    const Script &body = Script::load(QByteArray("hero/").append(name).constData());
    const qsizetype firstLine = body.text.indexOf('\n') + 1;
    QByteArray text = body.text.left(firstLine);
    for (const QByteArray &piece : neededBy(body.text))
        text += stripped(Script::load(QByteArray("hero/lib/").append(piece).constData()).text);
    text += stripped(body.text.mid(firstLine));
    return {body.name, text, QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()};
}

} // namespace

const Script *script(const char *name)
{
    static QMutex mutex;
    static QHash<QByteArray, std::shared_ptr<const Script>> built;
    const QMutexLocker lock(&mutex);
    auto &entry = built[name];
    if (!entry)
        entry = std::make_shared<const Script>(compose(name));
    return entry.get();
}

} // namespace ym::hero
