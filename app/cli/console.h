// What the command line says: results on standard output, remarks and errors on standard error.
#pragma once

#include "app/cli/output_queue.h"
#include "app/cli/utf8_chunks.h"

#include "core/base/error.h"
#include "core/base/terminal_filter.h"
#include "core/job/job.h"

#include <QObject>
#include <QString>

#include <array>

#include <nlohmann/json_fwd.hpp>

namespace ym::cli {

using Json = nlohmann::ordered_json;

/// Compact, on one line; bytes that are no UTF-8 are replaced.
QByteArray jsonText(const Json &value);

/// Main thread. Text for people is escaped by whoever makes it (shownText). The bytes of a job pass unchanged into a file
/// or a pipe; of what a terminal would obey only colours pass, so that no job can do anything to the person's terminal.
class Console : public QObject {
    Q_OBJECT
public:
    enum class Format : quint8 { Human, JsonText };
    explicit Console(Format format, QObject *parent = nullptr);
    ~Console() override;

    bool isJson() const { return m_format == Format::JsonText; }
    /// True after a write failed because nobody reads standard output any more.
    bool isClosed() const { return m_isClosed; }

    void line(const QString &text);
    enum class Stream : quint8 { Out, Err };
    /// Bytes of a job.
    void output(Stream stream, const QByteArray &bytes);
    /// One compact line, so that a stream of them is JSON lines.
    void json(const Json &value);
    /// A piece of such a line, for what is too long to be held as a whole; the last one ends with the line feed.
    void jsonPart(const QByteArray &text);
    /// A remark for a person; nothing in JsonText format.
    void remark(const QString &text);
    /// "yardmaster: …", one line.
    void error(const QString &text);

    /// The state's word, in its colour where colours are wanted.
    QString stateWord(JobState state, const QByteArray &statusText) const;
    QString heading(const QString &text) const;

Q_SIGNALS:
    /// Nobody reads standard output any more; what still comes is dropped.
    void closed();

private:
    /// A terminal, and how its bytes are made harmless.
    struct Screen {
        bool isTerminal = false;
        bool isColoured = false; ///< a job has set a colour
        TerminalFilter filter;
        Utf8Chunks characters; ///< of what the filter lets through
    };
    Screen screenOf(int descriptor) const;
    void resetColours();
    QString coloured(const QString &text, const char *code) const;

    Format m_format;
    bool m_hasColour;
    bool m_isClosed = false;
    std::array<Screen, 2> m_screens;
    OutputQueue m_queue;
};

} // namespace ym::cli
