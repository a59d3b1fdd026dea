// The line in which jobs are filtered: completion, a mark under what cannot be read, a button that clears.
#pragma once

#include "models/job_filter.h"
#include "ui/lazy.h"

#include <QLineEdit>
#include <QPointer>
#include <QTimer>

class QCompleter;
class QStringListModel;

namespace ym {

class JobTableModel;

/// Parses a moment after the last key; Enter at once, Escape clears. GUI thread.
class FilterLine final : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterLine(QWidget *parent = nullptr);

    /// Where completion gets its words; may end before this.
    void setVocabulary(JobTableModel *jobs);
    /// Replaces the text and applies it at once.
    void setQuery(const QString &query);
    /// What is wrong with the text; empty when it can be read.
    QString problem() const { return m_problem.message; }

Q_SIGNALS:
    /// The text changed and can be read.
    void filterChanged(const ym::JobFilter &filter);
    /// problem() changed.
    void problemChanged(const QString &problem);
    /// The arrow key down was pressed: go on in the table.
    void leftDownwards();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void applyNow();
    void offer();
    void take(const QString &candidate);
    void mark();
    QCompleter *makeCompleter();

    QPointer<JobTableModel> m_jobs;
    QTimer m_delay;
    FilterProblem m_problem;
    QString m_applied;
    QStringListModel *m_candidates;
    Lazy<QCompleter> m_completer; ///< what nobody types into needs none
    qsizetype m_start = 0;
    qsizetype m_length = 0;
};

} // namespace ym
