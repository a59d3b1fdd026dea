// How far a running job says it is: a thin bar with its numbers.
#pragma once

#include "core/job/progress.h"

#include <QWidget>

namespace ym {

/// Hidden while nothing is known. GUI thread.
class ProgressStrip final : public QWidget {
    Q_OBJECT
public:
    explicit ProgressStrip(QWidget *parent = nullptr);

    void show(const JobProgress &progress);
    const JobProgress &progress() const { return m_progress; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    JobProgress m_progress;
};

} // namespace ym
