// The script editor: text with its find bar and with warnings about what the eye cannot see.
#pragma once

#include "ui/editor/code_view.h"

#include <QTimer>
#include <QWidget>

class QFrame;
class QLabel;
class QPushButton;

namespace ym {

class FindBar;
class ScriptCheck;

/// Edits one script. Keys: Ctrl+F find, F3 and Shift+F3 next and previous, Ctrl+/ comment, Ctrl++ Ctrl+- Ctrl+0 zoom,
/// Ctrl+Tab leaves. GUI thread.
class ScriptEditor final : public QWidget {
    Q_OBJECT
public:
    explicit ScriptEditor(QWidget *parent = nullptr);

    /// The grammar follows the script type ("python", "osis", …); an unknown type is shown without colours.
    void setLanguage(const QByteArray &type);
    Language language() const { return m_view->language(); }

    QByteArray script() const { return m_view->bytes(); }
    /// Replaces everything and starts the undo history anew. Texts over CodeView::maxBytes are refused: false.
    bool setScript(const QByteArray &script);

    bool isReadOnly() const { return m_view->isReadOnly(); }
    void setReadOnly(bool on);
    bool isModified() const { return m_view->isModified(); }
    void setModified(bool on) { m_view->setModified(on); }
    void setFontSize(int points) { m_view->setFontSize(points); }

    /// With which Python scripts are checked while they are written; empty: they are not.
    void setPython(const QString &path);
    /// Marks lines; an empty list takes all marks away.
    void setProblems(const QList<ScriptProblem> &problems) { m_view->setProblems(problems); }
    void goToLine(int line) { m_view->goToLine(line); }

    /// What the warning over the text says now; empty when there is none.
    QString warning() const;
    CodeView *view() const { return m_view; }

Q_SIGNALS:
    void scriptChanged();

private:
    void addAction(const QList<QKeySequence> &keys, void (ScriptEditor::*what)());
    void makeNotice();
    void showNotice(const QString &text, bool removable);
    QString longLineNote() const;
    void tellLongLine();
    void lookForHiddenCharacters();
    void removeHiddenCharacters();
    void refusePaste(qint64 bytes);
    void followText();
    void lookForMistakes();
    void find();
    void findNext();
    void findPrevious();
    void toggleComment() { m_view->toggleComment(); }
    void zoomIn() { m_view->zoomIn(); }
    void zoomOut() { m_view->zoomOut(); }
    void resetZoom() { m_view->resetZoom(); }

    QByteArray m_type;
    CodeView *m_view;
    FindBar *m_find;
    QFrame *m_notice;
    QLabel *m_noticeText;
    QPushButton *m_remove;
    bool m_saysLongLine = false;
    QTimer m_scan;
    ScriptCheck *m_check;
    QTimer m_checkSoon;
};

} // namespace ym
