#include "core/protocol/hero/scripts.h"

#include <QCryptographicHash>
#include <QHash>
#include <QList>
#include <QMutex>
#include <QSet>

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

/// The identifiers and other words of a text.
QSet<QByteArray> wordsOf(const QByteArray &text)
{
    QSet<QByteArray> words;
    qsizetype start = -1;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : '\n';
        const bool isWord = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (isWord && start < 0)
            start = i;
        if (isWord || start < 0)
            continue;
        words.insert(text.sliced(start, i - start));
        start = -1;
    }
    return words;
}

/// The top-level definitions of a library. Each begins with `local` in the first column; comments before it stay
/// behind.
QList<QByteArray> definitionsOf(const QByteArray &text)
{
    QList<QByteArray> definitions;
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith("local "))
            definitions.append(QByteArray());
        if (!definitions.isEmpty())
            definitions.last() += line + '\n';
    }
    return definitions;
}

/// The names that a definition makes: `local function name(` or `local a, b = …`.
QSet<QByteArray> namesOf(const QByteArray &definition)
{
    const QByteArray firstLine = definition.left(definition.indexOf('\n'));
    const bool isFunction = firstLine.startsWith("local function ");
    const qsizetype start = qstrlen(isFunction ? "local function " : "local ");
    const qsizetype end = firstLine.indexOf(isFunction ? '(' : '=');
    return wordsOf(firstLine.sliced(start, (end < 0 ? firstLine.size() : end) - start));
}

/// A script with what it uses of its libraries. Only that: every run of a script makes each function in it anew.
Script compose(const char *name)
{
    const Script &body = Script::load(QByteArray("hero/").append(name).constData());
    const qsizetype firstLine = body.text.indexOf('\n') + 1;
    QList<QByteArray> definitions;
    for (const QByteArray &piece : neededBy(body.text))
        definitions += definitionsOf(Script::load(QByteArray("hero/lib/").append(piece).constData()).text);
    QByteArray text = stripped(body.text.mid(firstLine));
    QSet<QByteArray> used = wordsOf(text);
    for (auto definition = definitions.crbegin(); definition != definitions.crend(); ++definition) {
        if (!namesOf(*definition).intersects(used)) // a definition uses only earlier ones
            continue;
        const QByteArray code = stripped(*definition);
        used += wordsOf(code);
        text.prepend(code);
    }
    text.prepend(body.text.left(firstLine));
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
