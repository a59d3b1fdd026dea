#include "ui/dialogs/doctor/finding_card.h"

#include "core/base/counted.h"
#include "ui/actions/remedy_text.h"
#include "ui/theme.h"
#include "ui/widgets/job_link.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr qsizetype shownCases = 5;

QString severityText(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Problem:
        return FindingCard::tr("Problem");
    case Finding::Severity::Warning:
        return FindingCard::tr("Warning");
    case Finding::Severity::Note:
        break;
    }
    return FindingCard::tr("Note");
}

TextLabel *wrapped(const QString &text, TextLabel::Kind kind, QWidget *parent)
{
    auto *const label = new TextLabel(text, kind, parent);
    label->setWordWrap(true);
    label->takeGivenWidth();
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

FindingCard::FindingCard(const Finding &finding, bool mayChange, QWidget *parent)
    : QFrame(parent)
    , m_finding(finding)
    , m_icon(new QLabel(this))
{
    setObjectName(QStringLiteral("findingCard"));
    m_icon->setToolTip(severityText(finding.severity));
    m_icon->setAccessibleName(severityText(finding.severity));
    auto *const column = new QVBoxLayout;
    column->setSpacing(space::tiny);
    auto *const title = wrapped(finding.text, TextLabel::Kind::Body, this);
    title->setObjectName(QStringLiteral("findingText"));
    column->addWidget(title);
    if (!finding.advice.isEmpty())
        column->addWidget(wrapped(finding.advice, TextLabel::Kind::Secondary, this));
    addCases(column);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(space::medium, space::medium, space::medium, space::medium);
    row->setSpacing(space::small);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(column, 1);
    if (const QString text = remedyText(finding.remedy); mayChange && !text.isEmpty()) {
        auto *const button = new QPushButton(text, this);
        button->setObjectName(QStringLiteral("findingRemedy"));
        button->setAutoDefault(false);
        row->addSpacing(space::small);
        row->addWidget(button, 0, Qt::AlignTop);
        connect(button, &QPushButton::clicked, this, [this] { Q_EMIT remedyWanted(m_finding.remedy); });
    }
    paintIcon();
}

void FindingCard::addCases(QVBoxLayout *column)
{
    for (const Finding::Case &one : m_finding.cases.mid(0, shownCases)) {
        QPushButton *const link = makeJobLink(one.job, this);
        link->setAutoDefault(false);
        column->addSpacing(space::tiny);
        column->addWidget(link, 0, Qt::AlignLeft);
        if (!one.text.isEmpty())
            column->addWidget(wrapped(one.text, TextLabel::Kind::Secondary, this));
        connect(link, &QPushButton::clicked, this, [this, id = one.job] { Q_EMIT jobWanted(id); });
    }
    const qint64 more = m_finding.count - std::min(shownCases, m_finding.cases.size());
    if (!m_finding.cases.isEmpty() && more > 0)
        column->addWidget(
            new TextLabel(counted(more, tr("and 1 more"), tr("and %1 more")), TextLabel::Kind::Secondary, this));
}

void FindingCard::paintIcon()
{
    struct Look {
        const char *icon;
        QColor colour;
    };
    const Look look = m_finding.severity == Finding::Severity::Problem
        ? Look{"error", signalColour(Signal::Bad, palette())}
        : m_finding.severity == Finding::Severity::Warning ? Look{"warning", signalColour(Signal::Warning, palette())}
                                                           : Look{"info", secondaryColour(palette())};
    m_icon->setPixmap(tintedIcon(look.icon, look.colour, space::iconSize, devicePixelRatioF()));
}

void FindingCard::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        paintIcon();
    QFrame::changeEvent(event);
}

} // namespace ym
