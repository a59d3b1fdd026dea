// yardmaster workspace: looks at the log of a workspace without opening it, and saves what is left of a damaged one.
#pragma once

#include "app/cli/command.h"

#include "core/store/embedded/log_salvage.h"

namespace ym::cli {

class WorkspaceCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    bool opensStore() const override { return false; }
    QCoro::Task<int> run(Context *context) override;

private:
    static int showReport(Console *console, const embedded::LogReport &report);
    static int showSalvaged(Console *console, const embedded::Salvaged &salvaged);

    QByteArray m_action;
    bool m_onlyBeginning = false;
};

} // namespace ym::cli
