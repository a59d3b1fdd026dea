// yardmaster output: what a job has written.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class OutputCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_id;
};

} // namespace ym::cli
