// Results that could not reach the store: kept on disk and delivered when it is back.
#pragma once

#include "core/base/task_scope.h"
#include "core/protocol/protocol.h"
#include "core/worker/file_descriptor.h"

#include <QObject>

namespace ym {

/// Keeps finished executions whose finish() failed (DESIGN, Hero: finish; RELIABILITY R8). Each is one file (0600) in a
/// folder of this spool alone, locked while it lives; a spool that starts adopts the folders of dead ones, so nothing
/// is lost with the application and nothing is delivered by two. Script, environment and raw fields are not written.
/// Lives in the store's thread; `consumer` and `clock` must outlive it.
class ResultSpool : public QObject {
    Q_OBJECT
public:
    /// `folder` empty: in memory only.
    ResultSpool(QString folder, Consumer *consumer, Clock *clock, QObject *parent = nullptr);
    ~ResultSpool() override;

    /// Takes over what dead spools left; returns how many results. Damaged files are renamed to *.corrupt and skipped.
    int adopt();
    /// Takes a result and begins to deliver it, with backoff: while the store refuses it until `until` (wall time: the end
    /// of the lease), while the store is away for up to a week. The claim decides, not the time: as long as nobody has
    /// rescued the job meanwhile it is still ours to end.
    void keep(Claim claim, Execution execution, Timestamp until);
    int count() const { return m_scope.activeCount(); }
    /// Ends all tries; what is not delivered stays on disk.
    QCoro::Task<void> close();

Q_SIGNALS:
    void delivered(const QByteArray &id);
    /// The job belongs to somebody else by now, or the store took the result in no time: it was dropped.
    void lateResult(const QByteArray &id, const ym::Execution &execution);

private:
    struct Entry;
    QCoro::Task<void> deliver(std::shared_ptr<Entry> entry);
    bool prepareFolder();
    QString write(const Entry &entry);
    int adoptFolder(const QString &path);

    QString m_root;
    QString m_folder; ///< ours, below m_root
    FileDescriptor m_lock;
    Consumer *m_consumer;
    Clock *m_clock;
    TaskScope m_scope{"result spool"};
};

} // namespace ym
