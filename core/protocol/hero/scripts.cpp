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
constexpr char innerMark[] = "\n  -- needs:"; ///< in a function that is seldom called

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

/// What the libraries that a text names define.
QList<QByteArray> definitionsFor(const QByteArray &text)
{
    const qsizetype start = text.indexOf(needsMark);
    if (start < 0)
        return {};
    const qsizetype names = start + qsizetype(sizeof needsMark) - 1;
    QList<QByteArray> definitions;
    for (const QByteArray &piece : text.mid(names, text.indexOf('\n', names) - names).simplified().split(' '))
        definitions += definitionsOf(Script::load(QByteArray("hero/lib/").append(piece).constData()).text);
    return definitions;
}

/// Those that a text uses, and what these use; without `known`.
QList<QByteArray> usedBy(const QByteArray &text, const QList<QByteArray> &known)
{
    const QList<QByteArray> all = definitionsFor(text);
    QSet<QByteArray> used = wordsOf(stripped(text));
    QList<QByteArray> definitions;
    for (auto definition = all.crbegin(); definition != all.crend(); ++definition) {
        if (known.contains(*definition) || !namesOf(*definition).intersects(used)) // it uses only earlier ones
            continue;
        used += wordsOf(stripped(*definition));
        definitions.prepend(*definition);
    }
    return definitions;
}

/// A script with what it uses of its libraries. Only that: every run of a script makes each function in it anew. What
/// only a function uses that is seldom called and says so itself is made inside that one.
Script compose(const char *name)
{
    const Script &body = Script::load(QByteArray("hero/").append(name).constData());
    const qsizetype firstLine = body.text.indexOf('\n') + 1;
    const QByteArray whole = body.text.mid(firstLine);
    const qsizetype mark = whole.indexOf(innerMark);
    const qsizetype inner = mark < 0 ? whole.size() : mark;
    const qsizetype innerEnd = mark < 0 ? whole.size() : whole.indexOf("\nend\n", mark);
    const QByteArray before = whole.left(inner);
    const QByteArray seldom = whole.mid(inner, innerEnd - inner);
    const QByteArray after = whole.mid(innerEnd);
    const QList<QByteArray> outer = usedBy(before + after, {});
    const QByteArray text = body.text.left(firstLine) + stripped(outer.join() + before)
        + stripped(usedBy(seldom, outer).join() + seldom) + stripped(after);
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
