// Lines of text with colours, however many, for a view that asks only for those on screen.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

namespace ym {

/// A colour as an escape sequence names it.
struct TextColour {
    enum class Kind : quint8 {
        Default,
        Indexed, ///< 0…255: the 16 named ones, the 6×6×6 cube, 24 greys
        Rgb, ///< 0xrrggbb
    };
    Kind kind = Kind::Default;
    quint32 value = 0;
    bool operator==(const TextColour &) const = default;
};

/// How text is drawn (ECMA-48 SGR). What blinks or hides is shown like any other text.
struct TextStyle {
    TextColour foreground;
    TextColour background;
    bool isBold = false;
    bool isFaint = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isStruck = false;
    bool isInverse = false;
    bool operator==(const TextStyle &) const = default;
};

/// Plain text without line ends, hidden characters escaped, and the styled parts of it.
struct StyledText {
    struct Run {
        qsizetype start = 0;
        qsizetype length = 0;
        TextStyle style;
        bool operator==(const Run &) const = default;
    };
    enum class Kind : quint8 {
        Normal,
        Error, ///< standard error
        Note, ///< not content but a remark of ours
        Added, ///< of a comparison: only in the second text
        Removed, ///< only in the first
    };
    QString text;
    std::vector<Run> runs; ///< ascending; what lies between them has no style
    Kind kind = Kind::Normal;
    bool operator==(const StyledText &) const = default;
};

/// What a line view shows. GUI thread. A view that does what each signal says ends with the same lines.
class TextLines : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual qint64 lineCount() const = 0;
    /// `line` 0 … lineCount() - 1; cheap, at most a few KiB long.
    virtual StyledText styledLine(qint64 line) const = 0;

Q_SIGNALS:
    /// Everything is another.
    void restarted();
    /// These lines went away; later ones moved up.
    void linesDropped(qint64 first, qint64 count);
    /// These lines have another text.
    void linesChanged(qint64 first, qint64 last);
    /// New lines at the end.
    void linesAppended(qint64 first, qint64 count);
    /// New lines in front of the first.
    void linesPrepended(qint64 count);
};

} // namespace ym
