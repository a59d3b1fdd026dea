#include "app/cli/console.h"

#include "core/base/text.h"

#include <QMetaObject>

#include <array>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ym::cli {

namespace {

/// A terminal that understands colours and a person who has not refused them (https://no-color.org).
bool wantsColour()
{
    const QByteArray term = qgetenv("TERM");
    return ::isatty(STDOUT_FILENO) && qEnvironmentVariableIsEmpty("NO_COLOR") && !term.isEmpty() && term != "dumb";
}

// Indexed by JobState.
constexpr std::array<const char *, jobStateCount> stateColours{"35", "33", "33", "36", "34;1", "32", "31", "31;1", "35;1"};

/// What turns the direction of text could make a terminal show something else than was written (RELIABILITY 8).
QByteArray withShownDirections(QByteArray text)
{
    static constexpr char16_t directions[] = u"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
    if (!text.contains('\xe2') && !text.contains('\xd8'))
        return text;
    for (const QChar c : QStringView(directions))
        text.replace(QString(c).toUtf8(), "<U+" + QByteArray::number(c.unicode(), 16).toUpper().rightJustified(4, '0') + '>');
    return text;
}

} // namespace

QByteArray jsonText(const Json &value)
{
    return QByteArray::fromStdString(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Console::Console(Format format, QObject *parent)
    : QObject(parent)
    , m_format(format)
    , m_hasColour(format == Format::Human && wantsColour())
    , m_screens{screenOf(STDOUT_FILENO), screenOf(STDERR_FILENO)}
    , m_queue([this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_isClosed = true;
                Q_EMIT closed();
            },
            Qt::QueuedConnection);
    })
{
}

Console::~Console()
{
    resetColours();
}

Console::Screen Console::screenOf(int descriptor) const
{
    const auto controls = m_hasColour ? TerminalFilter::Controls::Drop : TerminalFilter::Controls::DropColours;
    return {::isatty(descriptor) == 1, false, TerminalFilter(controls), {}};
}

/// What comes after a job's output is not to be in its last colour.
void Console::resetColours()
{
    for (size_t i = 0; i < m_screens.size(); ++i) {
        QByteArray end = m_screens[i].characters.rest();
        if (std::exchange(m_screens[i].isColoured, false))
            end += "\x1b[0m";
        if (!end.isEmpty())
            m_queue.write(i == 0 ? STDOUT_FILENO : STDERR_FILENO, end);
    }
}

void Console::line(const QString &text)
{
    resetColours();
    m_queue.write(STDOUT_FILENO, text.toUtf8() + '\n');
}

void Console::output(Stream stream, const QByteArray &bytes)
{
    const int descriptor = stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO;
    Screen &screen = m_screens[size_t(stream)];
    if (!screen.isTerminal) {
        m_queue.write(descriptor, bytes);
        return;
    }
    const QByteArray harmless = withShownDirections(screen.characters.take(screen.filter.feed(bytes)));
    screen.isColoured = screen.isColoured || harmless.contains('\x1b');
    m_queue.write(descriptor, harmless);
}

void Console::json(const Json &value)
{
    jsonPart(jsonText(value) + '\n');
}

void Console::jsonPart(const QByteArray &text)
{
    m_queue.write(STDOUT_FILENO, text);
}

void Console::remark(const QString &text)
{
    resetColours();
    if (!isJson())
        m_queue.write(STDERR_FILENO, shownText(text.toUtf8()).toUtf8() + '\n');
}

void Console::error(const QString &text)
{
    resetColours();
    m_queue.write(STDERR_FILENO, "yardmaster: " + shownText(text.toUtf8()).toUtf8() + '\n');
}

QString Console::stateWord(JobState state, const QByteArray &statusText) const
{
    const QString word = state == JobState::Unknown && !statusText.isEmpty()
        ? QStringLiteral("unknown (%1)").arg(shownText(statusText, Lines::Flatten, 24))
        : QString::fromLatin1(stateName(state));
    return coloured(word, stateColours.at(size_t(state)));
}

QString Console::heading(const QString &text) const
{
    return coloured(text, "1");
}

QString Console::coloured(const QString &text, const char *code) const
{
    return m_hasColour ? QStringLiteral("\x1b[%1m%2\x1b[0m").arg(QLatin1String(code), text) : text;
}

} // namespace ym::cli
