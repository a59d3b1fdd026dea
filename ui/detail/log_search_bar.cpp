#include "ui/detail/log_search_bar.h"

#include "core/base/counted.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>

namespace ym {

namespace {

constexpr std::chrono::milliseconds typingPause{250};

LineView::Marks marksOf(const QRegularExpression &expression, const QString &line)
{
    constexpr size_t most = 200;
    LineView::Marks marks;
    for (auto match = expression.globalMatch(line); match.hasNext() && marks.size() < most;) {
        const QRegularExpressionMatch found = match.next();
        if (found.capturedLength() > 0)
            marks.emplace_back(found.capturedStart(), found.capturedLength());
    }
    return marks;
}

} // namespace

LogSearchBar::LogSearchBar(LogLines *lines, LineView *view, QWidget *parent)
    : QWidget(parent)
    , m_lines(lines)
    , m_view(view)
    , m_search(new LogSearch(this))
    , m_field(new QLineEdit(this))
    , m_case(makeToggle("logCase", QStringLiteral("Aa"), tr("Tell capitals from small letters")))
    , m_isExpression(makeToggle("logExpression", QStringLiteral(".*"), tr("Regular expression")))
    , m_previous(iconButton("up", tr("The one before (Shift+F3)"), this))
    , m_next(iconButton("down", tr("The next one (F3)"), this))
    , m_state(new TextLabel(TextLabel::Kind::Secondary, this))
{
    m_field->setObjectName(QStringLiteral("logSearch"));
    m_field->setPlaceholderText(tr("Search the log"));
    m_field->setClearButtonEnabled(true);
    m_field->setMaxLength(1000);
    m_field->installEventFilter(this);
    m_previous->setObjectName(QStringLiteral("logPrevious"));
    m_next->setObjectName(QStringLiteral("logNext"));
    m_state->setObjectName(QStringLiteral("logMatches"));
    m_delay.setSingleShot(true);
    m_delay.setInterval(typingPause);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::tiny);
    row->addWidget(m_field, 1);
    row->addWidget(m_case);
    row->addWidget(m_isExpression);
    row->addWidget(m_state);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    connect(m_field, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_case, &QToolButton::toggled, this, &LogSearchBar::startSearch);
    connect(m_isExpression, &QToolButton::toggled, this, &LogSearchBar::startSearch);
    connect(&m_delay, &QTimer::timeout, this, &LogSearchBar::startSearch);
    connect(m_previous, &QToolButton::clicked, this, [this] { goOn(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { goOn(1); });
    connect(m_search, &LogSearch::changed, this, &LogSearchBar::showState);
    connect(lines, &LogLines::restarted, this, [this] {
        m_search->clear();
        m_query = {};
        showState();
    });
    connect(lines, &LogLines::extentChanged, this, &LogSearchBar::showState);
    showState();
}

QToolButton *LogSearchBar::makeToggle(const char *name, const QString &text, const QString &tip)
{
    auto *const button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void LogSearchBar::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void LogSearchBar::startSearch()
{
    m_delay.stop();
    LogSearch::Query query;
    query.text = m_field->text();
    query.kind = m_isExpression->isChecked() ? LogSearch::Query::Kind::Expression : LogSearch::Query::Kind::Text;
    query.caseSensitivity = m_case->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
    if (query == m_query)
        return;
    m_query = query;
    m_expression = LogSearch::expressionOf(query);
    if (query.text.isEmpty() || !m_expression.isValid()) {
        m_view->setMarks(nullptr);
        m_search->clear();
        return showState();
    }
    m_view->setMarks([expression = m_expression](const QString &line) { return marksOf(expression, line); });
    m_goesToFirst = true;
    m_search->start(m_lines->file(), m_lines->fileSize(), m_expression,
                    m_lines->placeBefore(m_view->firstVisibleLine()));
}

void LogSearchBar::goOn(int direction)
{
    startSearch(); // when something else was typed
    if (!m_lines->isComplete())
        return;
    const qint64 here = m_view->hasSelection() ? std::min(m_view->cursor().line, m_view->lineCount()) : m_view->firstVisibleLine() - (direction > 0);
    qint64 row = direction > 0 ? m_search->after(here) : m_search->before(here);
    if (row < 0 && !m_search->rows().empty()) // round the end
        row = direction > 0 ? m_search->rows().front() : m_search->rows().back();
    if (row < 0)
        return;
    const LineView::Marks marks = marksOf(m_expression, m_lines->styledLine(row).text);
    const auto [start, length] = marks.empty() ? std::pair<qsizetype, qsizetype>() : marks.front();
    m_view->select({row, start}, {row, start + length});
    showState();
}

void LogSearchBar::showState()
{
    const bool isBad = !m_query.text.isEmpty() && !m_expression.isValid();
    const bool hasRows = !m_search->rows().empty();
    m_previous->setEnabled(hasRows);
    m_next->setEnabled(hasRows);
    if (m_goesToFirst && hasRows && m_lines->isComplete()) {
        m_goesToFirst = false;
        goOn(1);
    }
    QString text;
    if (isBad)
        text = tr("No expression: %1").arg(m_expression.errorString());
    else if (!m_query.text.isEmpty())
        text = counted(m_search->matchingRows(), tr("1 line"), tr("%1 lines"));
    if (m_search->isRunning())
        text = tr("%1 · %2 %").arg(text, QString::number(m_search->percent()));
    m_state->setText(text);
}

bool LogSearchBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto *const key = static_cast<QKeyEvent *>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        goOn(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
        return true;
    }
    if (key->key() == Qt::Key_Escape) {
        if (m_search->isRunning())
            m_search->cancel();
        else
            m_view->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ym
