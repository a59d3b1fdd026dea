// Takes out of a stream of bytes what a terminal would obey; colours stay.
#pragma once

#include <QByteArray>

namespace ym {

/// One stream, fed in chunks that may be cut anywhere. Of all escape sequences only SGR (ECMA-48 8.3.117: colours and
/// styles) passes, as "ESC [ parameters m"; titles, cursor movements, device control strings, character sets and the C1
/// controls (as U+0080…U+009F and, for a terminal, as single bytes too) go. A string that is not ended within a
/// line or 4 KiB is given up, so that it cannot hide what follows.
class TerminalFilter {
public:
    enum class Controls : quint8 {
        Keep, ///< other control characters pass, for a view that shows them; bell, backspace and shifts go
        Drop, ///< only tab, line feed and carriage return pass: for a terminal
        DropColours, ///< likewise, and colours go too
    };
    TerminalFilter() = default;
    explicit TerminalFilter(Controls controls)
        : m_controls(controls)
    {
    }

    QByteArray feed(const QByteArray &bytes);

private:
    enum class State : quint8 { Ground, AfterC2, Escape, Intermediate, Csi, String, StringEscape, StringC2 };
    void take(uchar c, QByteArray &out);
    void ground(uchar c, QByteArray &out);
    void control(uchar c, QByteArray &out) const;
    void afterEscape(uchar c, QByteArray &out);
    void inCsi(uchar c, QByteArray &out);
    void inString(uchar c, QByteArray &out);
    bool isPlain(uchar c) const;

    Controls m_controls = Controls::Keep;
    State m_state = State::Ground;
    int m_continuations = 0; ///< of the character that has begun
    qsizetype m_length = 0; ///< of a string
    QByteArray m_parameters;
};

} // namespace ym
