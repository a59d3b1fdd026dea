// yardmaster logs: the log file of a job that ran on this machine.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class LogsCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_id;
    bool m_follows = false;
};

} // namespace ym::cli
