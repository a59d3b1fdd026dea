// An array in JSON that is written while it is made.
#pragma once

#include "app/cli/console.h"

namespace ym::cli {

/// The same bytes as Console::json() would print, without ever holding more than a piece of them. What was begun is a
/// whole array in the end, also when whoever fills it is left by an error.
class JsonArray {
public:
    explicit JsonArray(Console *console)
        : m_console(console)
    {
    }
    ~JsonArray()
    {
        m_text += m_isEmpty ? "[]\n" : "]\n";
        m_console->jsonPart(m_text);
    }
    Q_DISABLE_COPY_MOVE(JsonArray)

    void add(const Json &value)
    {
        m_text += m_isEmpty ? '[' : ',';
        m_isEmpty = false;
        m_text += jsonText(value);
        if (m_text.size() >= pieceBytes)
            m_console->jsonPart(std::exchange(m_text, QByteArray()));
    }

private:
    static constexpr qsizetype pieceBytes = 64 * 1024;

    Console *m_console;
    QByteArray m_text;
    bool m_isEmpty = true;
};

} // namespace ym::cli
