// yardmaster wait: until jobs are over.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class WaitCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QCoro::Task<void> waitForOne(Context *context, Producer *producer, QByteArray id);

    QList<QByteArray> m_ids;
    int m_timeout = 0;
    int m_exitCode = ExitOk;
    std::optional<Error> m_trouble; ///< that is not about one job
};

} // namespace ym::cli
