// The limits profile of a script type, as a form.
#pragma once

#include "core/job/containment.h"

#include <QWidget>

class QSpinBox;

namespace ym {

/// 0 is shown as "none". GUI thread.
class LimitsForm final : public QWidget {
    Q_OBJECT
public:
    explicit LimitsForm(QWidget *parent = nullptr);

    /// What has no field here, and what is not a whole number of a field's unit and was not changed, stays.
    RunLimits limits() const;
    void setLimits(const RunLimits &limits);

Q_SIGNALS:
    void edited();

private:
    QSpinBox *makeBox(const char *name, const QString &label, const QString &unit, int most, int row, int column);

    RunLimits m_shown;
    QSpinBox *m_cpu;
    QSpinBox *m_memory;
    QSpinBox *m_address;
    QSpinBox *m_processes;
    QSpinBox *m_disk;
    QSpinBox *m_openFiles;
};

} // namespace ym
