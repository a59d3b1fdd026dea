// Answers the questions of the window instead of a person and keeps what was asked. For tests of the window only.
#pragma once

#include "ui/prompts.h"

#include <QList>

namespace ym::test {

/// Put in place by its constructor, taken away by its destructor. Answers at once.
class FakePrompts final {
public:
    FakePrompts()
    {
        auto seam = std::make_unique<Seam>(this);
        m_before = Prompts::replace(std::move(seam));
    }
    ~FakePrompts() { Prompts::replace(std::move(m_before)); }
    Q_DISABLE_COPY_MOVE(FakePrompts)

    QList<Question> questions;
    QList<Message> messages;
    QList<FileQuestion> fileQuestions;
    std::function<void()> meanwhile; ///< what happens while a question is open
    int answer = 0; ///< index that every question gets; -1 cancels
    QString file; ///< what file dialogs give; empty = nothing chosen

private:
    class Seam final : public Prompts {
    public:
        explicit Seam(FakePrompts *owner)
            : m_owner(owner)
        {
        }
        void ask(QWidget *, Question question, std::function<void(int)> answered) override
        {
            m_owner->questions.append(std::move(question));
            if (m_owner->meanwhile)
                m_owner->meanwhile();
            answered(m_owner->answer);
        }
        void tell(QWidget *, Message message) override { m_owner->messages.append(std::move(message)); }
        void openFile(QWidget *, FileQuestion question, std::function<void(QString)> chosen) override
        {
            m_owner->fileQuestions.append(std::move(question));
            if (!m_owner->file.isEmpty())
                chosen(m_owner->file);
        }
        void saveFile(QWidget *parent, FileQuestion question, std::function<void(QString)> chosen) override
        {
            openFile(parent, std::move(question), std::move(chosen));
        }

    private:
        FakePrompts *m_owner;
    };

    std::unique_ptr<Prompts> m_before;
};

} // namespace ym::test
