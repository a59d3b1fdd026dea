// The only place that may ask a person something; tests put their own answers here.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

class QWidget;

namespace ym {

/// A question with up to three answers. Everything is shown as plain text.
struct Question {
    QString title; ///< the question itself: "Remove 3 jobs from Local workspace?"
    QString text; ///< what it means, one or two sentences
    QString details; ///< a sample of what is concerned, one a line; may be empty
    QStringList answers; ///< verbs on the buttons, the main one first: {"Remove 3 jobs"}; Cancel is added by itself
    bool isDestructive = false; ///< Cancel is the default button then
    QString typeToConfirm; ///< when not empty, the main answer needs this text typed (RELIABILITY U18)
};

/// Something to read: what went wrong, in one sentence, with the details below.
struct Message {
    QString title;
    QString text;
    QString details;
};

/// What a file dialog is for.
struct FileQuestion {
    QString title;
    QString folder; ///< or a proposed file name with its folder, for saving
    QString filter; ///< "Python (*.py);;All files (*)"
    bool wantsFolder = false; ///< openFile() chooses a folder instead
};

/// Asks without blocking: boxes are opened window-modal, the answer comes later. It never comes when `parent` dies
/// first. GUI thread.
class Prompts {
public:
    virtual ~Prompts() = default;

    /// `answered` gets the index into question.answers, or -1 for Cancel, Escape and a closed box.
    virtual void ask(QWidget *parent, Question question, std::function<void(int)> answered) = 0;
    virtual void tell(QWidget *parent, Message message) = 0;
    /// `chosen` is not called when nothing was chosen.
    virtual void openFile(QWidget *parent, FileQuestion question, std::function<void(QString)> chosen) = 0;
    virtual void saveFile(QWidget *parent, FileQuestion question, std::function<void(QString)> chosen) = 0;

    /// Asks and calls `confirmed` only for the main answer.
    void confirm(QWidget *parent, Question question, std::function<void()> confirmed);

    /// The one in use: real boxes unless a test replaced it.
    static Prompts &instance();
    /// For tests. Null brings the real boxes back; returns what was in use before.
    static std::unique_ptr<Prompts> replace(std::unique_ptr<Prompts> prompts);
};

} // namespace ym
