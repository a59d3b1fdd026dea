#include "core/base/terminal_filter.h"

namespace ym {

namespace {

constexpr uchar escape = 0x1b;
constexpr uchar leadOfC1 = 0xc2; ///< U+0080…U+009F are C2 80 … C2 9F
constexpr qsizetype longestParameters = 64;
constexpr qsizetype longestString = 4096;

bool isStringIntroducer(uchar c) // DCS, SOS, OSC, PM, APC as the second byte of an escape sequence
{
    return c == 'P' || c == 'X' || c == ']' || c == '^' || c == '_';
}

/// How many bytes of a character follow its lead; 0 for what is no lead.
int continuationsOf(uchar c)
{
    return c >= 0xf0 && c <= 0xf4 ? 3 : c >= 0xe0 && c <= 0xef ? 2 : c >= 0xc2 && c <= 0xdf ? 1 : 0;
}

} // namespace

/// Neither a control nor part of what could be one.
bool TerminalFilter::isPlain(uchar c) const
{
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t' || c == '\r';
}

QByteArray TerminalFilter::feed(const QByteArray &bytes)
{
    const auto *const begin = reinterpret_cast<const uchar *>(bytes.constData());
    const auto *const end = begin + bytes.size();
    const uchar *p = begin;
    // Most output is plain: then nothing is copied.
    if (m_state == State::Ground && m_continuations == 0) {
        while (p < end && isPlain(*p))
            ++p;
        if (p == end)
            return bytes;
    }
    QByteArray out;
    out.reserve(bytes.size());
    out.append(bytes.constData(), p - begin);
    while (p < end) {
        take(*p++, out);
        if (m_state != State::Ground || m_continuations > 0)
            continue;
        const uchar *const run = p;
        while (p < end && isPlain(*p))
            ++p;
        out.append(reinterpret_cast<const char *>(run), p - run);
    }
    return out;
}

void TerminalFilter::take(uchar c, QByteArray &out)
{
    switch (m_state) {
    case State::Ground:
        return ground(c, out);
    case State::AfterC2:
        m_state = State::Ground;
        if (c >= 0x80 && c <= 0x9f)
            return afterEscape(uchar(c - 0x40), out);
        out.append(char(leadOfC1));
        if (c < 0x80 || c > 0xbf)
            return ground(c, out); // the character was not complete
        out.append(char(c));
        return;
    case State::Escape:
        m_state = State::Ground;
        return afterEscape(c, out);
    case State::Intermediate:
        if (c >= 0x20 && c <= 0x2f)
            return;
        m_state = State::Ground;
        if (c < 0x20 || c >= 0x7f)
            ground(c, out);
        return;
    case State::Csi:
        return inCsi(c, out);
    case State::String:
    case State::StringEscape:
    case State::StringC2:
        return inString(c, out);
    }
}

void TerminalFilter::ground(uchar c, QByteArray &out)
{
    const bool isContinuation = (c & 0xc0) == 0x80;
    if (m_continuations > 0 && isContinuation) {
        --m_continuations;
        out.append(char(c));
        return;
    }
    m_continuations = 0;
    if (c == escape) {
        m_state = State::Escape;
    } else if (c == leadOfC1) {
        m_state = State::AfterC2;
    } else if (c < 0x20 || c == 0x7f) {
        control(c, out);
    } else if (c >= 0x80 && m_controls != Controls::Keep && continuationsOf(c) == 0) {
        out.append('?'); // a terminal of eight bits would obey some of these
    } else {
        m_continuations = continuationsOf(c);
        out.append(char(c));
    }
}

void TerminalFilter::control(uchar c, QByteArray &out) const
{
    constexpr uchar bell = 7, backspace = 8, shiftOut = 14, shiftIn = 15;
    const bool isOfTerminals = c == bell || c == backspace || c == shiftOut || c == shiftIn;
    const bool passes = isPlain(c) || (m_controls == Controls::Keep && !isOfTerminals);
    if (passes)
        out.append(char(c));
}

void TerminalFilter::afterEscape(uchar c, QByteArray &out)
{
    if (c == '[') {
        m_state = State::Csi;
        m_parameters.clear();
    } else if (isStringIntroducer(c)) {
        m_state = State::String;
        m_length = 0;
    } else if (c == escape) {
        m_state = State::Escape;
    } else if (c >= 0x20 && c <= 0x2f) {
        m_state = State::Intermediate;
    } else if (c < 0x20 || c >= 0x7f) {
        ground(c, out); // no sequence at all
    }
}

void TerminalFilter::inCsi(uchar c, QByteArray &out)
{
    if (c >= 0x20 && c <= 0x3f) {
        if (m_parameters.size() <= longestParameters)
            m_parameters.append(char(c));
        return;
    }
    m_state = State::Ground;
    if (c < 0x20 || c >= 0x7f)
        return ground(c, out); // cut off
    const auto isSgr = [](char p) { return (p >= '0' && p <= '9') || p == ';' || p == ':'; };
    const bool isColour = c == 'm' && m_controls != Controls::DropColours && m_parameters.size() <= longestParameters
        && std::all_of(m_parameters.cbegin(), m_parameters.cend(), isSgr);
    if (isColour)
        out.append("\x1b[").append(m_parameters).append('m');
}

void TerminalFilter::inString(uchar c, QByteArray &out)
{
    constexpr uchar bell = 7, cancel = 0x18, substitute = 0x1a, terminator = 0x9c;
    const State before = std::exchange(m_state, State::String);
    const bool isEnded = c == bell || c == cancel || c == substitute || (before == State::StringEscape && c == '\\')
        || (before == State::StringC2 && c == terminator);
    if (isEnded) {
        m_state = State::Ground;
        return;
    }
    if (before == State::StringEscape) { // another sequence has begun: the string is over
        m_state = State::Ground;
        return afterEscape(c, out);
    }
    if (c == '\n' || c == '\r' || ++m_length > longestString) {
        m_state = State::Ground;
        return ground(c, out);
    }
    if (c == escape)
        m_state = State::StringEscape;
    else if (c == leadOfC1)
        m_state = State::StringC2;
}

} // namespace ym
