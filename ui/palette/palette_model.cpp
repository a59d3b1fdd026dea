#include "ui/palette/palette_model.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/palette/fuzzy.h"
#include "ui/theme.h"
#include "ui/workspace.h"

#include <QRegularExpression>

namespace ym {

namespace {

constexpr size_t mostItems = 60;
constexpr int mostJobs = 5;
constexpr int idBonus = 1000;
constexpr qsizetype idLength = 36;
constexpr int disabledMalus = 40;

bool looksLikeId(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("^[0-9a-fA-F][0-9a-fA-F-]{3,35}$"));
    return pattern.match(text).hasMatch();
}

} // namespace

PaletteModel::PaletteModel(Workspace *workspace, ActionRegistry *registry, QObject *parent)
    : QAbstractListModel(parent)
    , m_workspace(workspace)
    , m_registry(registry)
{
}

void PaletteModel::setQuery(const QString &query)
{
    beginResetModel();
    m_query = query.trimmed();
    m_items.clear();
    addJobs();
    addActions();
    addConnections();
    std::stable_sort(m_items.begin(), m_items.end(), [](const Item &a, const Item &b) { return a.score > b.score; });
    if (m_items.size() > mostItems)
        m_items.resize(mostItems);
    endResetModel();
}

/// Keeps it when it fits; the letters may also be found in the category.
void PaletteModel::offer(Item item)
{
    const auto hit = fuzzyMatch(m_query, item.text);
    const auto wide = hit ? std::nullopt : fuzzyMatch(m_query, item.category + u' ' + item.text);
    if (!hit && !wide)
        return;
    item.score += hit ? hit->score : wide->score / 2;
    if (hit)
        item.positions = hit->positions;
    if (!item.reason.isEmpty())
        item.score -= disabledMalus;
    m_items.push_back(std::move(item));
}

void PaletteModel::addActions()
{
    for (QAction *const action : m_registry->actions()) {
        if (action->objectName() == QLatin1String("view.palette"))
            continue;
        const ActionSpec &spec = *m_registry->spec(action);
        Item item;
        item.text = QString(spec.text).remove(u'&');
        item.category = ActionRegistry::menuTitle(spec.menu).remove(u'&');
        item.keys = action->shortcut().toString(QKeySequence::NativeText);
        item.reason = m_registry->whyNot(action);
        item.icon = spec.icon;
        item.run = [action] { action->trigger(); };
        offer(std::move(item));
    }
}

void PaletteModel::addConnections()
{
    for (const Profile &profile : m_workspace->connections()->profiles()) {
        Item item;
        item.text = tr("Open %1").arg(shownText(profile.name.toUtf8(), Lines::Flatten, 80));
        item.category = tr("Connection");
        item.icon = "connection";
        item.run = [workspace = m_workspace, id = profile.id] { workspace->openConnection(id); };
        offer(std::move(item));
    }
}

/// A typed id is offered as it is, also when the job is not listed; a beginning is looked up on the thread pool.
void PaletteModel::addJobs()
{
    const ConnectionModels *const models = m_workspace->current();
    if (!models || !looksLikeId(m_query))
        return;
    const QByteArray typed = m_query.toLower().toLatin1();
    if (typed.size() == idLength) {
        const auto job = models->jobs->summary(typed);
        m_items.push_back(jobItem(typed, job ? stateWord(job->state) : tr("not listed")));
        return;
    }
    const Result<JobFilter> filter = JobFilter::parse(QStringLiteral("id:") + m_query);
    if (!filter)
        return;
    whenReady(models->jobs->find(*filter, mostJobs), this, [this, query = m_query](const QList<JobSummary> &found) {
        if (query == m_query)
            takeJobs(found);
    });
}

void PaletteModel::takeJobs(const QList<JobSummary> &found)
{
    if (found.isEmpty())
        return;
    beginInsertRows({}, 0, int(found.size()) - 1);
    for (qsizetype i = found.size() - 1; i >= 0; --i)
        m_items.insert(m_items.begin(), jobItem(found[i].id, stateWord(found[i].state)));
    endInsertRows();
    Q_EMIT jobsFound();
}

PaletteModel::Item PaletteModel::jobItem(const QByteArray &id, const QString &state) const
{
    Item item;
    item.text = tr("Go to job %1").arg(shownText(id, Lines::Flatten, 80));
    item.category = state;
    item.icon = "jobs";
    item.score = idBonus;
    item.run = [workspace = m_workspace, id] { workspace->openJob(id); };
    return item;
}

bool PaletteModel::run(int row) const
{
    if (row < 0 || row >= int(m_items.size()) || !m_items[size_t(row)].reason.isEmpty())
        return false;
    const auto run = m_items[size_t(row)].run;
    run();
    return true;
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_items.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Item &item = m_items[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return item.text;
    case Qt::AccessibleTextRole:
        return QStringList{item.text, item.keys, item.reason}.join(QStringLiteral(", "));
    case CategoryRole:
        return item.category;
    case KeysRole:
        return item.keys;
    case ReasonRole:
        return item.reason;
    case PositionsRole:
        return QVariant::fromValue(item.positions);
    case IconNameRole:
        return item.icon;
    }
    return {};
}

} // namespace ym
