#include "ui/widgets/question_box.h"

#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int textWidth = 420;
constexpr int mostLines = 13; ///< twelve ids, and how many more there are
constexpr qsizetype longestDetails = 64 * 1024;

} // namespace

QuestionBox::QuestionBox(Question question, QWidget *parent)
    : QDialog(parent)
    , m_question(std::move(question))
{
    QVBoxLayout *const layout = makeTexts(m_question.title, m_question.text, m_question.details);
    makeTyping(layout);
    makeButtons(layout);
}

QuestionBox::QuestionBox(Message message, QWidget *parent)
    : QDialog(parent)
{
    QVBoxLayout *const layout = makeTexts(message.title, message.text, message.details);
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
}

QVBoxLayout *QuestionBox::makeTexts(const QString &title, const QString &text, const QString &details)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Yardmaster"));
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::large, space::large, space::large, space::medium);
    layout->setSpacing(space::medium);
    auto *const heading = new TextLabel(title, TextLabel::Kind::Heading, this);
    heading->setWordWrap(true);
    heading->setMinimumWidth(textWidth);
    layout->addWidget(heading);
    if (!text.isEmpty()) {
        auto *const body = new TextLabel(text, TextLabel::Kind::Body, this);
        body->setWordWrap(true);
        layout->addWidget(body);
    }
    if (!details.isEmpty()) {
        auto *const view = new QPlainTextEdit(details.left(longestDetails), this);
        view->setReadOnly(true);
        view->setFont(monoFont());
        view->setTabChangesFocus(true);
        view->setProperty("boxed", true);
        view->document()->setDocumentMargin(space::tiny);
        const int lines = std::clamp(view->document()->blockCount(), 1, mostLines);
        view->setFixedHeight(lines * QFontMetrics(view->font()).lineSpacing() + 2 * space::small);
        layout->addWidget(view);
    }
    return layout;
}

void QuestionBox::makeTyping(QVBoxLayout *layout)
{
    if (m_question.typeToConfirm.isEmpty())
        return;
    auto *const label =
        new TextLabel(tr("Type %1 to go on:").arg(m_question.typeToConfirm), TextLabel::Kind::Body, this);
    auto *const line = new QLineEdit(this);
    line->setObjectName(QStringLiteral("confirmText"));
    line->setAccessibleName(label->text());
    label->setBuddy(line);
    layout->addWidget(label);
    layout->addWidget(line);
    m_confirm = line;
    connect(line, &QLineEdit::textChanged, this,
            [this](const QString &typed) { m_main->setEnabled(typed == m_question.typeToConfirm); });
}

void QuestionBox::makeButtons(QVBoxLayout *layout)
{
    auto *const buttons = new QDialogButtonBox(this);
    for (int i = 0; i < m_question.answers.size(); ++i) {
        const auto role =
            m_question.isDestructive && i == 0 ? QDialogButtonBox::DestructiveRole : QDialogButtonBox::AcceptRole;
        auto *const button =
            buttons->addButton(QString(m_question.answers.at(i)).replace(u'&', QStringLiteral("&&")), role);
        connect(button, &QPushButton::clicked, this, [this, i] { choose(i); });
        if (i == 0)
            m_main = button;
    }
    auto *const cancel = buttons->addButton(QDialogButtonBox::Cancel);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    QPushButton *const usual = m_question.isDestructive || !m_main ? cancel : m_main;
    usual->setDefault(true);
    if (m_confirm)
        m_confirm->setFocus();
    else
        usual->setFocus();
    if (m_main && m_question.isDestructive)
        m_main->setProperty("destructive", true);
    if (m_main)
        m_main->setEnabled(m_question.typeToConfirm.isEmpty());
    layout->addWidget(buttons);
}

void QuestionBox::choose(int answer)
{
    m_answer = answer;
    accept();
}

} // namespace ym
