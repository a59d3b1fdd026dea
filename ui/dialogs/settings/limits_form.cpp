#include "ui/dialogs/settings/limits_form.h"

#include "ui/dialogs/parts/form_field.h"

#include <QGridLayout>
#include <QSpinBox>

namespace ym {

namespace {

constexpr qint64 megabyte = qint64{1} << 20;
constexpr int mostMegabytes = 1 << 20;

/// The bytes that were there when the box still shows them.
qint64 bytesOf(const QSpinBox *box, qint64 before)
{
    return box->value() == int(before / megabyte) ? before : box->value() * megabyte;
}

} // namespace

LimitsForm::LimitsForm(QWidget *parent)
    : QWidget(parent)
{
    auto *const grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    m_cpu = makeBox("limitCpu", tr("Processor time"), tr(" s"), 86'400, 0, 0);
    m_memory = makeBox("limitMemory", tr("Memory, all processes"), tr(" MiB"), mostMegabytes, 0, 1);
    m_address = makeBox("limitAddress", tr("Address space, each"), tr(" MiB"), mostMegabytes, 0, 2);
    m_processes = makeBox("limitProcesses", tr("Processes and threads"), {}, 100'000, 1, 0);
    m_disk = makeBox("limitDisk", tr("Files, together"), tr(" MiB"), mostMegabytes, 1, 1);
    m_openFiles = makeBox("limitOpen", tr("Open files, each"), {}, 100'000, 1, 2);
    for (int column = 0; column < 3; ++column)
        grid->setColumnStretch(column, 1);
}

QSpinBox *LimitsForm::makeBox(const char *name, const QString &label, const QString &unit, int most, int row,
                              int column)
{
    auto *const box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, most);
    box->setSuffix(unit);
    box->setSpecialValueText(tr("none"));
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    static_cast<QGridLayout *>(layout())->addWidget(new FormField(label, box, this), row, column, Qt::AlignTop);
    connect(box, &QSpinBox::valueChanged, this, &LimitsForm::edited);
    return box;
}

RunLimits LimitsForm::limits() const
{
    RunLimits limits = m_shown;
    limits.cpu = std::chrono::seconds(m_cpu->value());
    limits.memoryBytes = bytesOf(m_memory, m_shown.memoryBytes);
    limits.addressBytes = bytesOf(m_address, m_shown.addressBytes);
    limits.diskBytes = bytesOf(m_disk, m_shown.diskBytes);
    limits.processes = m_processes->value();
    limits.openFiles = m_openFiles->value();
    return limits;
}

void LimitsForm::setLimits(const RunLimits &limits)
{
    m_shown = limits;
    m_cpu->setValue(int(limits.cpu.count()));
    m_memory->setValue(int(limits.memoryBytes / megabyte));
    m_address->setValue(int(limits.addressBytes / megabyte));
    m_disk->setValue(int(limits.diskBytes / megabyte));
    m_processes->setValue(limits.processes);
    m_openFiles->setValue(limits.openFiles);
}

} // namespace ym
