// The text area of the script editor: Scintilla with our look, our limits for what is pasted, and bytes in and out.
#pragma once

#include "ui/editor/hidden_characters.h"
#include "ui/editor/language.h"
#include "ui/editor/long_lines.h"

#include <Qsci/qsciscintilla.h>

#include <memory>

namespace ym {

/// A mark at a line, with the reason below it.
struct ScriptProblem {
    int line = 1; ///< from 1
    QString message;
    bool operator==(const ScriptProblem &) const = default;
};

/// Bytes are kept exactly, also when they are no valid UTF-8. GUI thread.
class CodeView final : public QsciScintilla {
    Q_OBJECT
public:
    /// The largest script that can be typed, pasted or loaded here (RELIABILITY U1).
    static constexpr qsizetype maxBytes = 8 * 1024 * 1024;

    explicit CodeView(QWidget *parent = nullptr);

    QByteArray bytes() const;
    /// Replaces everything; the undo history starts anew.
    void setBytes(const QByteArray &text);
    /// Replaces everything as one undoable step.
    void replaceAll(const QByteArray &text);

    void setLanguage(Language language);
    Language language() const { return m_language; }
    /// Bytes of the longest line when that is too long for the editor: then all are shown without colours and by their
    /// beginnings only. 0 otherwise.
    qsizetype longLine() const { return m_longLine; }
    /// In points, 6…48.
    void setFontSize(int points);
    int fontSize() const { return m_fontSize; }
    /// Zoom keys and Ctrl+wheel; 0 is the set font size.
    void resetZoom() { zoomTo(0); }

    void toggleComment();
    void setProblems(const QList<ScriptProblem> &problems);
    /// Puts a coloured box over these bytes, instead of the boxes before.
    void setBoxes(const QList<HiddenCharacter> &boxes);
    /// Selects and shows a line, from 1.
    void goToLine(int line);
    void cut() override;
    void paste() override;

Q_SIGNALS:
    /// Something of this size was pasted or dropped and would make the script too large; it was not inserted.
    void pasteRefused(qint64 bytes);

protected:
    void changeEvent(QEvent *event) override;
    bool canInsertFromMimeData(const QMimeData *source) const override;
    QByteArray fromMimeData(const QMimeData *source, bool &rectangular) const override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void setUpView();
    void freeKeys();
    void applyColours();
    void fitLineNumbers();
    void lookForLongLines();
    void chooseLexer();
    bool removeByKey(const QKeyEvent *event);
    void removeRange(long from, long to);
    void removeSelected();
    void markAll() { selectAll(); }
    std::pair<int, int> selectedLines() const;

    Language m_language = Language::Plain;
    qsizetype m_longLine = 0;
    int m_fontSize = 11;
    std::unique_ptr<QsciLexer> m_lexer;
};

/// A monospaced family that exists on this machine: the desktop's own, else a well-known one.
QFont codeFont(int points);

} // namespace ym
