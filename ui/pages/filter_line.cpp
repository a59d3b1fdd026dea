#include "ui/pages/filter_line.h"

#include "models/job_table_model.h"
#include "ui/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QStringListModel>
#include <QTextCharFormat>

namespace ym {

namespace {

constexpr auto typingDelay = std::chrono::milliseconds(120);

} // namespace

FilterLine::FilterLine(QWidget *parent)
    : QLineEdit(parent)
    , m_candidates(new QStringListModel(this))
    , m_completer([this] { return makeCompleter(); })
{
    setObjectName(QStringLiteral("filterLine"));
    setPlaceholderText(tr("Filter jobs: words, state:running, type:python, age<1h, -caller:nightly"));
    setAccessibleName(tr("Filter jobs"));
    setClearButtonEnabled(true);
    setMaxLength(4096);
    addAction(themeIcon("search"), LeadingPosition);
    m_delay.setSingleShot(true);
    m_delay.setInterval(typingDelay);
    connect(&m_delay, &QTimer::timeout, this, &FilterLine::applyNow);
    connect(this, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(this, &QLineEdit::textEdited, this, &FilterLine::offer);
    connect(this, &QLineEdit::returnPressed, this, &FilterLine::applyNow);
}

QCompleter *FilterLine::makeCompleter()
{
    auto *const completer = new QCompleter(m_candidates, this);
    completer->setWidget(this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterLine::take);
    return completer;
}

void FilterLine::setVocabulary(JobTableModel *jobs)
{
    m_jobs = jobs;
}

void FilterLine::setQuery(const QString &query)
{
    setText(query);
    applyNow();
}

void FilterLine::applyNow()
{
    m_delay.stop();
    FilterProblem problem;
    const Result<JobFilter> filter = JobFilter::parse(text(), &problem);
    const FilterProblem before = std::exchange(m_problem, filter ? FilterProblem() : problem);
    mark();
    if (before.message != m_problem.message)
        Q_EMIT problemChanged(m_problem.message);
    if (!filter || m_applied == text())
        return;
    m_applied = text();
    Q_EMIT filterChanged(*filter);
}

/// A wavy line as input methods draw it: the only way a line edit marks a part of its text.
void FilterLine::mark()
{
    setToolTip(m_problem.message.toHtmlEscaped());
    QList<QInputMethodEvent::Attribute> attributes;
    if (!m_problem.message.isEmpty() && m_problem.length > 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(signalColour(Signal::Bad, palette()));
        const int start = int(m_problem.position) - cursorPosition();
        attributes.append({QInputMethodEvent::TextFormat, start, int(m_problem.length), format});
    }
    QInputMethodEvent event(QString(), attributes);
    QCoreApplication::sendEvent(this, &event);
}

void FilterLine::offer()
{
    if (!m_jobs)
        return;
    const FilterCompletion found = completeFilter(text(), cursorPosition(), m_jobs->vocabulary());
    m_start = found.start;
    m_length = found.length;
    const QString typed = text().mid(m_start, m_length);
    if (found.candidates.isEmpty() || typed.isEmpty() || found.candidates == QStringList{typed}) {
        if (m_completer.made())
            m_completer.made()->popup()->hide();
        return;
    }
    m_candidates->setStringList(found.candidates);
    QRect place = cursorRect();
    place.setWidth(240);
    m_completer.get()->complete(place);
}

void FilterLine::take(const QString &candidate)
{
    QString query = text();
    const bool goesOn = candidate.endsWith(u':');
    const QString taken = goesOn ? candidate : candidate + u' ';
    query.replace(m_start, m_length, taken);
    setText(query);
    setCursorPosition(int(m_start + taken.size()));
    if (goesOn)
        QMetaObject::invokeMethod(this, &FilterLine::offer, Qt::QueuedConnection);
}

void FilterLine::keyPressEvent(QKeyEvent *event)
{
    if (m_completer.made() && m_completer.made()->popup()->isVisible()) {
        // The popup hands these on: they are its own.
        static constexpr int popupKeys[] = {Qt::Key_Enter, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Tab};
        if (std::find(std::begin(popupKeys), std::end(popupKeys), event->key()) != std::end(popupKeys)) {
            event->ignore();
            return;
        }
    }
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        setQuery({});
        return;
    }
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Escape) {
        Q_EMIT leftDownwards();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FilterLine::changeEvent(QEvent *event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        mark();
}

} // namespace ym
