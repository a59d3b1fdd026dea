// What the person looks at: connection, page, selection, job. The state that pages, actions and the detail share.
#pragma once

#include "core/engine/session.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace ym {

class ConnectionModels;
class UiSettings;

enum class PageId : quint8 { Jobs, Queues, Workers };
inline constexpr int pageCount = 3;
/// "jobs", "queues", "workers": in settings and action ids.
const char *pageName(PageId page);
QString pageTitle(PageId page);

/// Something to tell without asking: shown as a note in the window for a while.
struct Notice {
    enum class Kind : quint8 { Done, Info, Warning, Error };
    Kind kind = Kind::Info;
    QString text; ///< one sentence
    QString details; ///< behind a Details button; may be empty
    QString offer{}; ///< what a button says that does what `take` does; may be empty
    std::function<void()> take{};
};

/// Opens connections, makes their models and keeps them while the session is open. GUI thread.
class Workspace final : public QObject {
    Q_OBJECT
public:
    Workspace(Connections *connections, UiSettings *settings, QObject *parent);
    ~Workspace() override;

    Connections *connections() const { return m_connections; }
    UiSettings *settings() const { return m_settings; }

    /// Opens the connection that was open last, else the first. Writes no settings: the file is synchronised to the disk
    /// before a first frame otherwise.
    void openLast();
    /// Opens it when needed and shows it.
    void openConnection(const QString &profileId);
    /// Null only when there is no profile at all.
    ConnectionModels *current() const { return m_current; }
    Session *session() const;
    Profile profile() const;

    PageId page() const { return m_page; }
    void setPage(PageId page);

    /// The job of the detail pane; empty = none.
    QByteArray chosenJob() const { return m_chosen; }
    void chooseJob(const QByteArray &id);
    /// The store has no such job: actions do not work on it, until it is there again or another one is chosen.
    bool isChosenJobGone() const { return m_isChosenGone; }
    void setChosenJobGone(bool isGone);
    /// Chooses it, shows the Jobs page and selects its row when the filter lets it through.
    void openJob(const QByteArray &id);

    /// Where the selection of the Jobs page comes from: at most `most` ids, and the number of all.
    struct Selection {
        std::function<QList<QByteArray>(qsizetype most)> ids;
        std::function<qint64()> count;
    };
    void setSelection(Selection selection) { m_selection = std::move(selection); }
    qint64 selectedCount() const { return m_selection.count ? m_selection.count() : 0; }
    /// Jobs that actions work on, at most `most`: asking for a few is cheap, also when a million rows are selected.
    QList<QByteArray> selectedJobs(qsizetype most = std::numeric_limits<qsizetype>::max()) const;

    void notify(const Notice &notice) { Q_EMIT noticed(notice); }
    /// What the shown notes offer is being done from elsewhere.
    void withdrawOffers() { Q_EMIT offersWithdrawn(); }

Q_SIGNALS:
    /// Another connection is shown, or the shown one was closed (current() is its successor).
    void currentChanged();
    /// The state of the shown connection.
    void stateChanged();
    /// Batch of news in the models of the shown connection.
    void applied(const ym::ChangeSet &changes);
    void pageChanged(ym::PageId page);
    void jobChosen(const QByteArray &id);
    void jobOpened(const QByteArray &id);
    void selectionChanged();
    void noticed(const ym::Notice &notice);
    /// The store of any open connection lost jobs that ran here.
    void jobsLost(ym::Session *session, int count, const QString &removal);
    void offersWithdrawn();
    /// A watched job of any open connection ended.
    void watchedJobEnded(ym::Session *session, const ym::JobSummary &job);

private:
    bool open(const QString &profileId);
    ConnectionModels *modelsOf(Session *session);
    void show(ConnectionModels *models);
    void forget(Session *session);

    Connections *m_connections;
    UiSettings *m_settings;
    QHash<Session *, ConnectionModels *> m_models;
    ConnectionModels *m_current = nullptr;
    PageId m_page = PageId::Jobs;
    QByteArray m_chosen;
    bool m_isChosenGone = false;
    std::array<QByteArray, pageCount> m_chosenOn; ///< of the pages that are not shown
    Selection m_selection;
};

} // namespace ym
