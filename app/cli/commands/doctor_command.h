// yardmaster doctor: what is stuck, lost or odd in a store, or why one job does not run.
#pragma once

#include "app/cli/command.h"
#include "core/engine/doctor.h"

namespace ym::cli {

class DoctorCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QCoro::Task<int> examineAll(Context *context, Doctor *doctor);
    QCoro::Task<int> examineJobs(Context *context, Doctor *doctor);

    QList<QByteArray> m_ids;
};

} // namespace ym::cli
