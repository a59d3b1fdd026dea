#include "ui/workspace.h"

#include "ui/connection_models.h"
#include "ui/ui_settings.h"

namespace ym {

namespace {

constexpr std::array<const char *, pageCount> pageNames = {"jobs", "queues", "workers"};

} // namespace

const char *pageName(PageId page)
{
    return pageNames[size_t(page)];
}

QString pageTitle(PageId page)
{
    switch (page) {
    case PageId::Jobs:
        return Workspace::tr("Jobs");
    case PageId::Queues:
        return Workspace::tr("Queues");
    case PageId::Workers:
        return Workspace::tr("Workers");
    }
    return {};
}

Workspace::Workspace(Connections *connections, UiSettings *settings, QObject *parent)
    : QObject(parent)
    , m_connections(connections)
    , m_settings(settings)
{
    const auto remembered = std::find(pageNames.begin(), pageNames.end(), settings->lastPage());
    if (remembered != pageNames.end())
        m_page = PageId(remembered - pageNames.begin());
    connect(connections, &Connections::sessionClosing, this, &Workspace::forget);
}

Workspace::~Workspace() = default;

void Workspace::openLast()
{
    const QList<Profile> profiles = m_connections->profiles();
    const QString last = m_settings->lastConnection();
    const bool exists = std::any_of(profiles.begin(), profiles.end(), [&](const Profile &p) { return p.id == last; });
    if (exists)
        open(last);
    else if (!profiles.isEmpty())
        open(profiles.first().id);
}

void Workspace::openConnection(const QString &profileId)
{
    if (open(profileId))
        m_settings->setLastConnection(profileId);
}

bool Workspace::open(const QString &profileId)
{
    Session *const session = m_connections->open(profileId);
    if (!session)
        return false;
    show(modelsOf(session));
    return true;
}

Session *Workspace::session() const
{
    return m_current ? m_current->session() : nullptr;
}

Profile Workspace::profile() const
{
    return m_current ? m_current->session()->profile() : Profile();
}

ConnectionModels *Workspace::modelsOf(Session *session)
{
    if (ConnectionModels *const known = m_models.value(session))
        return known;
    auto *const made = new ConnectionModels(session, &Clock::system(), this);
    m_models.insert(session, made);
    connect(session, &Session::watchedJobEnded, made,
            [this, session](const JobSummary &job) { Q_EMIT watchedJobEnded(session, job); });
    connect(session, &Session::jobsLost, made,
            [this, session](int count, const QString &removal) { Q_EMIT jobsLost(session, count, removal); });
    connect(session, &Session::stateChanged, made, [this, made] {
        if (made == m_current)
            Q_EMIT stateChanged();
    });
    connect(made, &ConnectionModels::applied, this, [this, made](const ChangeSet &changes) {
        if (made == m_current)
            Q_EMIT applied(changes);
    });
    return made;
}

void Workspace::show(ConnectionModels *models)
{
    if (models == m_current)
        return;
    m_chosenOn = {};
    chooseJob({});
    if (m_current) {
        m_current->session()->setVisibleJobs({});
        m_current->session()->setOnScreen(false);
    }
    m_current = models;
    if (models)
        models->session()->setOnScreen(true);
    Q_EMIT currentChanged();
    Q_EMIT stateChanged();
    Q_EMIT selectionChanged();
}

/// The session dies after this call: nothing may keep its models.
void Workspace::forget(Session *session)
{
    ConnectionModels *const models = m_models.take(session);
    if (!models)
        return;
    if (models == m_current) {
        m_chosenOn = {};
        chooseJob({});
        m_current = nullptr;
        Q_EMIT currentChanged();
        Q_EMIT stateChanged();
        Q_EMIT selectionChanged();
    }
    delete models;
}

void Workspace::setPage(PageId page)
{
    if (page == m_page)
        return;
    m_chosenOn[size_t(m_page)] = m_chosen;
    m_page = page;
    m_settings->setLastPage(pageName(page));
    chooseJob(m_chosenOn[size_t(page)]);
    Q_EMIT pageChanged(page);
    Q_EMIT selectionChanged();
}

void Workspace::chooseJob(const QByteArray &id)
{
    if (id == m_chosen)
        return;
    m_chosen = id;
    m_isChosenGone = false;
    if (m_current) {
        // Before the session is told: it sends at once what the job has written so far, and only once.
        m_current->output->follow(id);
        m_current->session()->setFocusedJob(id);
    }
    Q_EMIT jobChosen(id);
}

void Workspace::setChosenJobGone(bool isGone)
{
    if (std::exchange(m_isChosenGone, isGone) != isGone)
        Q_EMIT selectionChanged();
}

void Workspace::openJob(const QByteArray &id)
{
    setPage(PageId::Jobs);
    chooseJob(id);
    Q_EMIT jobOpened(id);
}

QList<QByteArray> Workspace::selectedJobs(qsizetype most) const
{
    const QList<QByteArray> selected =
        m_page == PageId::Jobs && m_selection.ids ? m_selection.ids(most) : QList<QByteArray>();
    if (!selected.isEmpty())
        return selected;
    return m_chosen.isEmpty() || m_isChosenGone || m_page == PageId::Workers ? QList<QByteArray>() : QList{m_chosen};
}

} // namespace ym
