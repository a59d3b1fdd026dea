#include "ui/pages/state_chips.h"

#include "core/base/counted.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QRegularExpression>

namespace ym {

namespace {

constexpr int chipHeight = 24;
constexpr int dotSize = 8;

} // namespace

QString withStates(const QString &query, const QList<JobState> &states)
{
    static const QRegularExpression term(QStringLiteral("(?<!\\S)state:\\S*\\s*"),
                                         QRegularExpression::CaseInsensitiveOption);
    QString rest = query;
    rest.remove(term);
    rest = rest.trimmed();
    if (states.isEmpty())
        return rest;
    QStringList names;
    for (const JobState state : states)
        names.append(QLatin1String(stateName(state)));
    const QString chosen = QStringLiteral("state:") + names.join(u',');
    return rest.isEmpty() ? chosen : chosen + u' ' + rest;
}

StateChip::StateChip(JobState state, QWidget *parent)
    : QAbstractButton(parent)
    , m_state(state)
{
    setCheckable(true);
    setText(stateWord(state));
    setAccessibleName(tr("%1: %2").arg(text(), tr("not known")));
    setObjectName(QStringLiteral("chip.") + QLatin1String(stateName(state)));
    setToolTip(tr("Show only these jobs, or all again"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QString StateChip::countText() const
{
    return m_count ? QLocale().toString(*m_count) : QStringLiteral("–");
}

void StateChip::setCount(std::optional<qint64> count)
{
    if (count == m_count)
        return;
    m_count = count;
    setAccessibleName(tr("%1: %2").arg(text(), count ? counted(*count, tr("1 job"), tr("%1 jobs")) : tr("not known")));
    updateGeometry();
    update();
}

QSize StateChip::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    const int texts = metrics.horizontalAdvance(text()) + metrics.horizontalAdvance(QLocale().toString(count()));
    return {10 + dotSize + 6 + texts + 6 + 10, chipHeight};
}

void StateChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor colour = stateColour(m_state, palette());
    const bool isLit = isChecked() || underMouse() || hasFocus();
    painter.setPen(isChecked() || hasFocus() ? accentColour(palette()) : borderColour(palette()));
    painter.setBrush(isChecked() ? palette().color(QPalette::Active, QPalette::Highlight)
                         : isLit ? palette().color(QPalette::AlternateBase)
                                 : QColor(Qt::transparent));
    painter.drawRoundedRect(area, chipHeight / 2.0, chipHeight / 2.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(count() > 0 ? colour : borderColour(palette()));
    painter.drawEllipse(QRectF(10, (height() - dotSize) / 2.0, dotSize, dotSize));
    const QRect words(10 + dotSize + 6, 0, width() - 10 - dotSize - 6 - 10, height());
    painter.setPen(count() > 0 || isChecked() ? palette().color(QPalette::Text) : secondaryColour(palette()));
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setPen(secondaryColour(palette()));
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, countText());
}

void StateChip::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void StateChip::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

StateChips::StateChips(QWidget *parent)
    : QWidget(parent)
{
    static constexpr JobState order[] = {JobState::Running,  JobState::Queued, JobState::Waiting, JobState::Scheduled,
                                         JobState::Finished, JobState::Failed, JobState::Dead,    JobState::Lost,
                                         JobState::Unknown};
    auto *const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    for (const JobState state : order) {
        auto *const chip = new StateChip(state, this);
        m_chips[size_t(state)] = chip;
        layout->addWidget(chip);
        connect(chip, &QAbstractButton::clicked, this, &StateChips::choose);
    }
    layout->addStretch();
    for (const JobState seldom : {JobState::Lost, JobState::Unknown})
        chip(seldom)->hide();
}

void StateChips::setCounts(const std::optional<JobTableModel::StateCounts> &counts)
{
    for (size_t i = 0; i < m_chips.size(); ++i)
        m_chips[i]->setCount(counts ? std::optional<qint64>((*counts)[i]) : std::nullopt);
    for (const JobState seldom : {JobState::Lost, JobState::Unknown})
        chip(seldom)->setVisible(chip(seldom)->count() > 0 || chip(seldom)->isChecked());
}

void StateChips::setFilter(const JobFilter &filter)
{
    quint32 states = 0;
    for (const JobFilter::Term &term : filter.terms()) {
        if (term.field == JobFilter::Field::State && !term.negated)
            states |= term.states;
    }
    for (size_t i = 0; i < m_chips.size(); ++i)
        m_chips[i]->setChecked((states >> i & 1u) != 0);
}

void StateChips::choose()
{
    QList<JobState> states;
    for (size_t i = 0; i < m_chips.size(); ++i) {
        if (m_chips[i]->isChecked())
            states.append(JobState(i));
    }
    Q_EMIT statesChosen(states);
}

} // namespace ym
