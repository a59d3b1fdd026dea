// yardmaster audit: what was executed on this machine.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class AuditCommand final : public Command {
public:
    void define(OptionSet *options) override;
    bool worksInMemory() const override { return true; }
    QCoro::Task<int> run(Context *context) override;

private:
    int m_count = 20;
};

} // namespace ym::cli
