#include "ui/dialogs/attach/snippet_box.h"

#include "core/base/shell_word.h"
#include "ui/dialogs/attach/copy_button.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QTabBar>

namespace ym {

namespace {

constexpr int shownLines = 4;

/// What the path of the socket becomes in the text.
enum class Form : quint8 {
    ShellWord,
    ShellUrl, ///< with its scheme, as a word of a shell
    Quoted, ///< inside double quotes where a backslash keeps what follows
};

struct Snippet {
    const char *title;
    const char *text; ///< %1 is the socket
    Form form;
};

constexpr Snippet snippets[] = {
    {"redis-cli", "redis-cli -s %1\n", Form::ShellWord},
    {"Python", "import redis\n\nr = redis.Redis(unix_socket_path=\"%1\")\nprint(r.ping())\n", Form::Quoted},
    {"Node.js",
     "const Redis = require(\"ioredis\");\n\nconst redis = new Redis({ path: \"%1\" });\n"
     "redis.ping().then(console.log);\n",
     Form::Quoted},
    {"Ruby", "require \"redis\"\n\nredis = Redis.new(path: \"%1\")\nputs redis.ping\n", Form::Quoted},
    {"Yardmaster", "yardmaster --store %1 list\n", Form::ShellUrl},
};

QString formed(QString path, Form form)
{
    switch (form) {
    case Form::ShellWord:
        return shellWord(path);
    case Form::ShellUrl:
        return shellWord(QStringLiteral("unix:") + path);
    case Form::Quoted:
        return path.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    }
    Q_UNREACHABLE();
}

} // namespace

SnippetBox::SnippetBox(QWidget *parent)
    : QWidget(parent)
    , m_tabs(new QTabBar(this))
    , m_text(new QPlainTextEdit(this))
    , m_copy(new CopyButton([this] { return text(); }, this))
{
    m_tabs->setObjectName(QStringLiteral("languages"));
    m_tabs->setAccessibleName(tr("Language"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    for (const Snippet &snippet : snippets)
        m_tabs->addTab(QLatin1String(snippet.title));
    m_text->setObjectName(QStringLiteral("snippet"));
    m_text->setAccessibleName(tr("What to write there"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(monoFont());
    const int margins = 2 * (m_text->frameWidth() + space::small);
    m_text->setFixedHeight(QFontMetrics(monoFont()).lineSpacing() * shownLines + margins);
    m_copy->setObjectName(QStringLiteral("copySnippet"));
    auto *const top = new QHBoxLayout;
    top->setSpacing(space::small);
    top->addWidget(m_tabs, 1);
    top->addWidget(m_copy);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::tiny);
    column->addLayout(top);
    column->addWidget(m_text);
    connect(m_tabs, &QTabBar::currentChanged, this, &SnippetBox::refresh);
    refresh();
}

void SnippetBox::setSocket(const QString &path)
{
    if (m_socket == path)
        return;
    m_socket = path;
    refresh();
}

QString SnippetBox::text() const
{
    const Snippet &snippet = snippets[std::max(0, m_tabs->currentIndex())];
    return m_socket.isEmpty() ? QString() : QString::fromLatin1(snippet.text).arg(formed(m_socket, snippet.form));
}

void SnippetBox::refresh()
{
    m_text->setPlainText(text().trimmed());
    m_copy->setEnabled(!m_socket.isEmpty());
}

} // namespace ym
