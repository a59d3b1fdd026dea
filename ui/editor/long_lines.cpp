#include "ui/editor/long_lines.h"

#include <Qsci/qsciscintilla.h>

namespace ym {

qsizetype longestLine(QByteArrayView text)
{
    qsizetype longest = 0;
    for (qsizetype at = 0; at <= text.size();) {
        const qsizetype feed = text.indexOf('\n', at);
        const qsizetype end = feed < 0 ? text.size() : feed;
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    return longest;
}

QString LongLineLexer::description(int style) const
{
    return style == Shown ? QStringLiteral("Shown") : style == Hidden ? QStringLiteral("Hidden") : QString();
}

void LongLineLexer::styleText(int start, int stop)
{
    using Sci = QsciScintillaBase;
    const QsciScintilla *const view = editor();
    const auto ask = [view](unsigned what, long of) { return view->SendScintilla(what, of); };
    long line = ask(Sci::SCI_LINEFROMPOSITION, start);
    long at = ask(Sci::SCI_POSITIONFROMLINE, line);
    startStyling(int(at));
    for (; at < stop; ++line) {
        const long size = ask(Sci::SCI_LINELENGTH, line);
        if (size <= 0)
            return;
        const long end = ask(Sci::SCI_GETLINEENDPOSITION, line);
        // The step back ends at the beginning of a character; a line end that is hidden lets the caret pass.
        const long hidden = end - at <= shownOfALine ? end : ask(Sci::SCI_POSITIONBEFORE, at + shownOfALine);
        setStyling(int(hidden - at), Shown);
        setStyling(int(end - hidden), Hidden);
        setStyling(int(at + size - end), Shown);
        at += size;
    }
}

} // namespace ym
