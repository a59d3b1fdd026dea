#include "ui/editor/language.h"

#include "ui/editor/heroscript_lexer.h"
#include "ui/editor/rhai_lexer.h"
#include "ui/editor/scintilla_lexer.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

#include <QHash>

namespace ym {

namespace {

using Py = QsciLexerPython;
using Cpp = QsciLexerCPP;

/// V is near enough to C for the eye: the same comments, strings and numbers, other words.
class VLexer final : public QsciLexerCPP {
public:
    using QsciLexerCPP::QsciLexerCPP;
    const char *language() const override { return "V"; }
    const char *keywords(int set) const override
    {
        if (set == 1)
            return "as asm assert atomic break const continue defer else enum fn for go goto if implements import in "
                   "interface is isreftype lock match module mut none or pub return rlock select shared sizeof spawn "
                   "static struct type typeof union unsafe volatile __global";
        if (set == 2)
            return "true false nil bool string i8 i16 int i64 i128 u8 u16 u32 u64 u128 rune f32 f64 isize usize "
                   "voidptr "
                   "any map chan thread";
        return nullptr;
    }
};

Token pythonToken(int style)
{
    static const QHash<int, Token> tokens{
        {Py::Comment, Token::Comment},
        {Py::CommentBlock, Token::Comment},
        {Py::Number, Token::Number},
        {Py::Keyword, Token::Keyword},
        {Py::Operator, Token::Operator},
        {Py::ClassName, Token::Function},
        {Py::FunctionMethodName, Token::Function},
        {Py::Decorator, Token::Parameter},
        {Py::HighlightedIdentifier, Token::Constant},
        {Py::DoubleQuotedString, Token::String},
        {Py::SingleQuotedString, Token::String},
        {Py::TripleSingleQuotedString, Token::String},
        {Py::TripleDoubleQuotedString, Token::String},
        {Py::UnclosedString, Token::String},
        {Py::DoubleQuotedFString, Token::String},
        {Py::SingleQuotedFString, Token::String},
        {Py::TripleSingleQuotedFString, Token::String},
        {Py::TripleDoubleQuotedFString, Token::String},
    };
    return tokens.value(style, Token::Text);
}

Token cToken(int style)
{
    static const QHash<int, Token> tokens{
        {Cpp::Comment, Token::Comment},
        {Cpp::CommentLine, Token::Comment},
        {Cpp::CommentDoc, Token::DocComment},
        {Cpp::CommentLineDoc, Token::DocComment},
        {Cpp::Number, Token::Number},
        {Cpp::Keyword, Token::Keyword},
        {Cpp::KeywordSet2, Token::Constant},
        {Cpp::DoubleQuotedString, Token::String},
        {Cpp::SingleQuotedString, Token::String},
        {Cpp::UnclosedString, Token::String},
        {Cpp::HashQuotedString, Token::String},
        {Cpp::RawString, Token::String},
        {Cpp::VerbatimString, Token::String},
        {Cpp::EscapeSequence, Token::Escape},
        {Cpp::Operator, Token::Operator},
        {Cpp::PreProcessor, Token::Parameter},
    };
    return tokens.value(style, Token::Text);
}

Token tokenOf(Language language, int style)
{
    switch (language) {
    case Language::Python:
        return pythonToken(style);
    case Language::V:
        return cToken(style);
    case Language::Plain:
    case Language::Rhai:
    case Language::HeroScript:
        break;
    }
    return style < tokenCount ? Token(style) : Token::Text;
}

} // namespace

Language languageOf(const QByteArray &type, const QByteArray &script)
{
    static const QHash<QByteArray, Language> languages{
        {"python", Language::Python},  {"osis", Language::Rhai}, {"sal", Language::Rhai},
        {"rhai", Language::Rhai},      {"v", Language::V},       {"heroscript", Language::HeroScript},
        {"hero", Language::HeroScript}};
    const Language language = languages.value(type.trimmed().toLower(), Language::Plain);
    const bool mayHoldActions = language == Language::Python || language == Language::V;
    return mayHoldActions && script.startsWith("!!") ? Language::HeroScript : language;
}

QByteArray commentPrefix(Language language)
{
    return language == Language::Python || language == Language::Plain ? "#" : "//";
}

QsciLexer *makeLexer(Language language, QObject *parent)
{
    switch (language) {
    case Language::Plain:
        return nullptr;
    case Language::Python:
        return new QsciLexerPython(parent);
    case Language::V:
        return new VLexer(parent);
    case Language::Rhai:
        return new ScintillaLexer("Rhai", std::make_unique<RhaiLexer>(), parent);
    case Language::HeroScript:
        return new ScintillaLexer("HeroScript", std::make_unique<HeroScriptLexer>(), parent);
    }
    return nullptr;
}

void paintLexer(QsciLexer *lexer, Language language, const EditorColours &colours, const QFont &font)
{
    lexer->setDefaultColor(colours.text);
    lexer->setDefaultPaper(colours.paper);
    lexer->setDefaultFont(font);
    for (int style = 0; style < 128; ++style) {
        if (lexer->description(style).isEmpty())
            continue;
        const Token token = tokenOf(language, style);
        QFont styled = font;
        styled.setBold(colours.isBold(token));
        styled.setItalic(colours.isItalic(token));
        lexer->setColor(colours.of(token), style);
        lexer->setPaper(colours.paper, style);
        lexer->setFont(styled, style);
        lexer->setEolFill(false, style);
    }
}

} // namespace ym
