#include "ui/prompts.h"

#include "ui/widgets/question_box.h"

#include <QFileDialog>

namespace ym {

namespace {

class RealPrompts final : public Prompts {
public:
    void ask(QWidget *parent, Question question, std::function<void(int)> answered) override
    {
        auto *const box = new QuestionBox(std::move(question), parent);
        QObject::connect(box, &QDialog::finished, box,
                         [box, answered = std::move(answered)] { answered(box->answer()); });
        box->open();
    }

    void tell(QWidget *parent, Message message) override
    {
        auto *const box = new QuestionBox(std::move(message), parent);
        box->open();
    }

    void openFile(QWidget *parent, FileQuestion question, std::function<void(QString)> chosen) override
    {
        open(parent, question, QFileDialog::AcceptOpen, std::move(chosen));
    }

    void saveFile(QWidget *parent, FileQuestion question, std::function<void(QString)> chosen) override
    {
        open(parent, question, QFileDialog::AcceptSave, std::move(chosen));
    }

private:
    static void open(QWidget *parent, const FileQuestion &question, QFileDialog::AcceptMode mode,
                     std::function<void(QString)> chosen)
    {
        auto *const dialog = new QFileDialog(parent, question.title, {}, question.filter);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(mode);
        dialog->setFileMode(question.wantsFolder                  ? QFileDialog::Directory
                                : mode == QFileDialog::AcceptOpen ? QFileDialog::ExistingFile
                                                                  : QFileDialog::AnyFile);
        const QFileInfo start(question.folder);
        dialog->setDirectory(start.isDir() ? question.folder : start.path());
        if (!start.isDir() && !start.fileName().isEmpty())
            dialog->selectFile(start.fileName());
        QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                         [chosen = std::move(chosen)](const QString &path) { chosen(path); });
        dialog->open();
    }
};

std::unique_ptr<Prompts> &current()
{
    static std::unique_ptr<Prompts> prompts = std::make_unique<RealPrompts>();
    return prompts;
}

} // namespace

void Prompts::confirm(QWidget *parent, Question question, std::function<void()> confirmed)
{
    ask(parent, std::move(question), [confirmed = std::move(confirmed)](int answer) {
        if (answer == 0)
            confirmed();
    });
}

Prompts &Prompts::instance()
{
    return *current();
}

std::unique_ptr<Prompts> Prompts::replace(std::unique_ptr<Prompts> prompts)
{
    auto before = std::exchange(current(), std::move(prompts));
    if (!current())
        current() = std::make_unique<RealPrompts>();
    return before;
}

} // namespace ym
