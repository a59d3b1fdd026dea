// yardmaster queues: how deep, who listens, what is next.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class QueuesCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;
};

} // namespace ym::cli
