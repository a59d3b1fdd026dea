// Which jobs must finish first: a search over the known jobs and the chosen ones as chips.
#pragma once

#include "core/job/job.h"

#include <QPointer>
#include <QWidget>

#include <optional>

class QCompleter;
class QLineEdit;

namespace ym {

class FlowLayout;
class JobPickerModel;
class JobTableModel;
class Session;

/// Type to search, Enter takes the job (or a whole id that is typed or pasted), the chip's button or Backspace in the
/// empty line removes. A chip shows the state of its job and follows it. GUI thread.
class PrerequisitesPicker final : public QWidget {
    Q_OBJECT
public:
    explicit PrerequisitesPicker(Session *session, QWidget *parent = nullptr);
    ~PrerequisitesPicker() override;

    /// Where to search; without it only whole ids can be given.
    void setJobs(JobTableModel *jobs);

    QList<QByteArray> ids() const;
    void setIds(const QList<QByteArray> &ids);
    /// One sentence when the choice cannot work out: a job that is not there, or that ended in an error.
    QString concern() const;

Q_SIGNALS:
    void edited();
    void concernChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Chip;

    void search(const QString &text);
    void takeTyped();
    void takeRow(int row);
    void add(const QByteArray &id);
    void removeChip(const QByteArray &id);
    void dropChip(Chip *chip);
    void learn(const QByteArray &id);
    void follow();
    void show(const QByteArray &id, std::optional<JobState> state);

    QPointer<Session> m_session;
    QPointer<JobTableModel> m_jobs;
    JobPickerModel *m_found = nullptr;
    QLineEdit *m_line;
    QCompleter *m_completer = nullptr;
    QWidget *m_chipArea;
    FlowLayout *m_flow;
    QList<Chip *> m_chips;
};

} // namespace ym
