// The states with their numbers, as switches that edit the filter.
#pragma once

#include "models/job_table_model.h"

#include <QAbstractButton>

#include <array>
#include <optional>

namespace ym {

/// A dot, a word and a number in a rounded outline. GUI thread.
class StateChip final : public QAbstractButton {
    Q_OBJECT
public:
    StateChip(JobState state, QWidget *parent);

    /// Nothing: not known, shown as a dash that takes the room of a 0.
    void setCount(std::optional<qint64> count);
    /// 0 when it is not known.
    qint64 count() const { return m_count.value_or(0); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    QString countText() const;

    JobState m_state;
    std::optional<qint64> m_count;
};

/// One chip a state; Unknown only while there are such jobs. GUI thread.
class StateChips final : public QWidget {
    Q_OBJECT
public:
    explicit StateChips(QWidget *parent = nullptr);

    /// Nothing: not known.
    void setCounts(const std::optional<JobTableModel::StateCounts> &counts);
    /// Checks the chips of the states that the filter lets through by a `state:` term.
    void setFilter(const JobFilter &filter);
    StateChip *chip(JobState state) const { return m_chips[size_t(state)]; }

Q_SIGNALS:
    /// Put these states into the query; empty: any.
    void statesChosen(const QList<ym::JobState> &states);

private:
    void choose();

    std::array<StateChip *, jobStateCount> m_chips{};
};

/// The query with its plain `state:` terms replaced by one for these states; other terms stay as typed.
QString withStates(const QString &query, const QList<JobState> &states);

} // namespace ym
