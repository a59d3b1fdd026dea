// yardmaster workers: who is alive.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class WorkersCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;
};

} // namespace ym::cli
