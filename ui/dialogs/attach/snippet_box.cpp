#include "ui/dialogs/attach/snippet_box.h"

#include "ui/dialogs/attach/copy_button.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QTabBar>

namespace ym {

namespace {

constexpr int shownLines = 4;

struct Snippet {
    const char *title;
    const char *text; ///< %1 is the path of the socket
    char quote; ///< that the path stands in
};

constexpr Snippet snippets[] = {
    {"redis-cli", "redis-cli -s '%1'\n", '\''},
    {"Python", "import redis\n\nr = redis.Redis(unix_socket_path=\"%1\")\nprint(r.ping())\n", '"'},
    {"Node.js", "const Redis = require(\"ioredis\");\n\nconst redis = new Redis({ path: \"%1\" });\nredis.ping().then(console.log);\n", '"'},
    {"Ruby", "require \"redis\"\n\nredis = Redis.new(path: \"%1\")\nputs redis.ping\n", '"'},
    {"Yardmaster", "yardmaster --store 'unix:%1' list\n", '\''},
};

/// The path inside quotes of that kind: in a shell a quote ends them, elsewhere a backslash keeps it.
QString quoted(QString path, char quote)
{
    if (quote == '\'')
        return path.replace(u'\'', QStringLiteral("'\\''"));
    return path.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
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
    return m_socket.isEmpty() ? QString() : QString::fromLatin1(snippet.text).arg(quoted(m_socket, snippet.quote));
}

void SnippetBox::refresh()
{
    m_text->setPlainText(text().trimmed());
    m_copy->setEnabled(!m_socket.isEmpty());
}

} // namespace ym
