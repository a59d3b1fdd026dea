// What the pieces of a script are, and how a lexer tells: line by line, so that an edit restyles only what it touches.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace ym {

/// What a byte of a script belongs to; the editor's colours are a table over it.
enum class Token : quint8 {
    Text,
    Comment,
    DocComment,
    Keyword,
    Constant,
    String,
    Escape, ///< \n in a string
    Interpolation, ///< the ${ and } of a template string
    Number,
    Operator,
    Function,
    Action, ///< HeroScript !!actor.action
    Parameter, ///< HeroScript key:
    Prose, ///< text between HeroScript actions
};
inline constexpr int tokenCount = 14;

/// A grammar that can start at any line when it knows the state at that line's start. Has no memory of its own, so one
/// object serves any number of documents and threads.
class LineLexer {
public:
    /// What is still open at a line's end; empty is the ground state. Opaque, comparable, at most a few hundred bytes.
    using State = QByteArray;

    virtual ~LineLexer() = default;

    /// Writes one Token for each byte of `line` (which includes its line end) to `out` and returns the state behind it.
    virtual State lexLine(QByteArrayView line, const State &state, Token *out) const = 0;
};

} // namespace ym
