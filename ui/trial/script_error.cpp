#include "ui/trial/script_error.h"

#include "core/base/text.h"

#include <QRegularExpression>

namespace ym {

namespace {

constexpr qsizetype longestRead = 64 * 1024; ///< of the end: tracebacks are short
constexpr qsizetype longestMessage = 300;

/// The last line that says something: the message of a traceback.
QString lastLine(const QString &text)
{
    const QStringList lines = text.trimmed().split(u'\n');
    return shownText(lines.last().trimmed().toUtf8(), Lines::Flatten, longestMessage);
}

} // namespace

QList<ScriptProblem> scriptErrors(const QByteArray &standardError, const QByteArray &script)
{
    static const QRegularExpression inPython(
        QStringLiteral("^ *File \"[^\"\n]*/script(?:\\.\\w+)?\", line (\\d{1,9})"), QRegularExpression::MultilineOption);
    static const QRegularExpression inRhai(QStringLiteral("\\(line (\\d{1,9}), position \\d{1,9}\\)"));
    const QString text = QString::fromUtf8(standardError.right(longestRead));
    int line = 0;
    for (auto match = inPython.globalMatch(text); match.hasNext();)
        line = match.next().captured(1).toInt();
    if (line == 0) {
        const QRegularExpressionMatch match = inRhai.match(text);
        line = match.hasMatch() ? match.captured(1).toInt() : 0;
    }
    if (line < 1 || line > script.count('\n') + 1)
        return {};
    return {{line, lastLine(text)}};
}

} // namespace ym
