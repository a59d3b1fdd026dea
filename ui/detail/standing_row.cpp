#include "ui/detail/standing_row.h"

#include "ui/actions/remedy_text.h"
#include "ui/connection_models.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace ym {

namespace {

template <typename Info, typename Model> QList<Info> rowsOf(const Model *model, Info (Model::*at)(int) const)
{
    QList<Info> rows;
    rows.reserve(model->rowCount());
    for (int row = 0; row < model->rowCount(); ++row)
        rows.append((model->*at)(row));
    return rows;
}

JobStanding standingIn(const Job &job, const ConnectionModels &known)
{
    const QList<QueueInfo> queues = rowsOf(known.queues, &QueueModel::queueAt);
    const QList<WorkerInfo> workers = rowsOf(known.workers, &WorkerModel::workerAt);
    KnownPicture picture;
    if (known.knowsQueues())
        picture.queues = &queues;
    if (known.knowsWorkers())
        picture.workers = &workers;
    picture.job = [&known](const QByteArray &id) { return known.jobs->summary(id); };
    picture.knowsEveryJob = known.jobs->listing().complete;
    return standingOf(job, picture, known.clock()->now());
}

} // namespace

StandingRow::StandingRow(QWidget *parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new TextLabel(TextLabel::Kind::Body, this))
    , m_button(new QPushButton(this))
{
    m_text->setObjectName(QStringLiteral("standing"));
    m_text->setWordWrap(true);
    m_text->takeGivenWidth();
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_button->setObjectName(QStringLiteral("remedy"));
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::small);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_button, 0, Qt::AlignTop);
    connect(m_button, &QPushButton::clicked, this, [this] { Q_EMIT remedyWanted(m_remedy); });
}

void StandingRow::show(const Job &job, const ConnectionModels &known)
{
    const JobStanding standing = standingIn(job, known);
    const QColor colour = standing.isTrouble() ? signalColour(Signal::Warning, palette()) : secondaryColour(palette());
    m_icon->setPixmap(
        tintedIcon(standing.isTrouble() ? "warning" : "info", colour, space::iconSize, devicePixelRatioF()));
    m_text->setText(standing.text);
    offer(known.session()->profile().readOnly ? Remedy() : standing.remedy);
    setVisible(!standing.text.isEmpty());
}

void StandingRow::offer(const Remedy &remedy)
{
    m_remedy = remedy;
    const QString text = remedyText(remedy);
    m_button->setText(text);
    m_button->setVisible(!text.isEmpty());
}

} // namespace ym
