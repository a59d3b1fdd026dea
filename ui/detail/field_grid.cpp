#include "ui/detail/field_grid.h"

#include "ui/theme.h"
#include "ui/widgets/job_link.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"

#include <QGridLayout>
#include <QPushButton>

namespace ym {

namespace {

constexpr int nameWidth = 112;
constexpr qsizetype mostIds = 50;
constexpr qsizetype wrapsFrom = 44;
constexpr qsizetype longestWord = 80; ///< a path breaks at its slashes, an id of 36 characters fits

bool hasLongWord(const QString &text)
{
    const QStringList words = text.split(u' ');
    return std::any_of(words.begin(), words.end(), [](const QString &word) { return word.size() > longestWord; });
}

} // namespace

FieldGrid::FieldGrid(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(space::medium);
    m_layout->setVerticalSpacing(6);
    m_layout->setColumnStretch(1, 1);
    m_layout->setColumnMinimumWidth(0, nameWidth);
}

void FieldGrid::show(const QList<Field> &fields)
{
    if (fields == m_fields)
        return;
    for (int row = 0; row < std::max(fields.size(), m_fields.size()); ++row) {
        if (row < fields.size() && row < m_fields.size() && fields[row] == m_fields[row])
            continue;
        for (int column = 0; column < 2; ++column) {
            if (QLayoutItem *const item = m_layout->itemAtPosition(row, column)) {
                m_layout->removeItem(item);
                item->widget()->hide();
                item->widget()->deleteLater();
                delete item;
            }
        }
        if (row >= fields.size())
            continue;
        auto *const name = new TextLabel(fields[row].name, TextLabel::Kind::Secondary, this);
        name->setAlignment(Qt::AlignLeft | Qt::AlignTop | Qt::AlignAbsolute);
        m_layout->addWidget(name, row, 0, Qt::AlignTop);
        m_layout->addWidget(makeValue(fields[row]), row, 1);
    }
    m_fields = fields;
}

QWidget *FieldGrid::makeValue(const Field &field)
{
    switch (field.kind) {
    case Field::Kind::Ids:
        return makeIds(field.ids);
    case Field::Kind::Secret:
        return makeSecret(field.text);
    case Field::Kind::Text:
    case Field::Kind::Mono:
        break;
    }
    auto *const label = new TextLabel(
        field.text, field.kind == Field::Kind::Mono ? TextLabel::Kind::Mono : TextLabel::Kind::Body, this);
    // Short values never need a second line, and a label that may wrap asks for one. A word that is longer than a line
    // cannot wrap: it is cut, and its tooltip has all of it.
    const bool isCut = hasLongWord(field.text);
    label->setWordWrap(!isCut && field.text.size() > wrapsFrom);
    label->setElided(isCut);
    if (isCut)
        label->setToolTip(QStringLiteral("<p>%1</p>").arg(field.text.toHtmlEscaped()));
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop | Qt::AlignAbsolute); // beside its name, however many lines it has
    label->setTextInteractionFlags(isCut ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
    label->takeGivenWidth();
    return label;
}

QWidget *FieldGrid::makeIds(const QList<QByteArray> &ids)
{
    auto *const box = new QWidget(this);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const QByteArray &id : ids.mid(0, mostIds)) {
        QPushButton *const link = makeJobLink(id, box);
        connect(link, &QPushButton::clicked, this, [this, id] { Q_EMIT idClicked(id); });
        column->addWidget(link, 0, Qt::AlignLeft);
    }
    if (ids.size() > mostIds)
        column->addWidget(
            new TextLabel(tr("… and %1 more").arg(ids.size() - mostIds), TextLabel::Kind::Secondary, box));
    return box;
}

QWidget *FieldGrid::makeSecret(const QString &text)
{
    auto *const box = new QWidget(this);
    auto *const row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::tiny);
    auto *const label = new TextLabel(QStringLiteral("••••••••"), TextLabel::Kind::Mono, box);
    label->setObjectName(QStringLiteral("secret"));
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *const reveal = iconButton("eye", tr("Show or hide this value"), box);
    reveal->setObjectName(QStringLiteral("reveal"));
    reveal->setCheckable(true);
    reveal->setProperty("compact", true);
    connect(reveal, &QToolButton::toggled, label,
            [label, text](bool on) { label->setText(on ? text : QStringLiteral("••••••••")); });
    row->addWidget(label, 1);
    row->addWidget(reveal);
    return box;
}

} // namespace ym
