// How a command handler refuses.
#pragma once

#include <QByteArray>

#include <exception>

namespace ym::embedded {

/// Thrown by handlers and the parts they use; becomes the error reply. The text begins with its code word.
class CommandError : public std::exception {
public:
    explicit CommandError(QByteArray text)
        : m_text(std::move(text))
    {
    }
    const QByteArray &text() const { return m_text; }
    const char *what() const noexcept override { return m_text.constData(); }

private:
    QByteArray m_text;
};

namespace errors {
inline constexpr char syntax[] = "ERR syntax error";
inline constexpr char notInteger[] = "ERR value is not an integer or out of range";
inline constexpr char notSmallInteger[] = "ERR value is out of range, value must between -2147483648 and 2147483647";
inline constexpr char notFloat[] = "ERR value is not a valid float";
inline constexpr char wrongType[] = "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr char noSuchKey[] = "ERR no such key";
inline constexpr char sameObject[] = "ERR source and destination objects are the same";
inline constexpr char indexOutOfRange[] = "ERR index out of range";
inline constexpr char busy[] =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
inline constexpr char notPositive[] = "ERR value is out of range, must be positive";
} // namespace errors

} // namespace ym::embedded
