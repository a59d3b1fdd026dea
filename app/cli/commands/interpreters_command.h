// yardmaster interpreters: what runs which script type here.
#pragma once

#include "app/cli/command.h"
#include "app/cli/local_executor.h"

namespace ym::cli {

class InterpretersCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    bool worksInMemory() const override { return true; }
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_project;
    std::unique_ptr<LocalExecutor> m_local;
};

} // namespace ym::cli
