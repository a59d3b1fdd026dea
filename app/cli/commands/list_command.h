// yardmaster list: jobs, newest first.
#pragma once

#include "app/cli/command.h"

#include <string>

namespace ym::cli {

class ListCommand final : public Command {
public:
    void define(CLI::App *app) override;
    Result<void> check(const Paths &paths) override;
    QCoro::Task<int> run(Context *context) override;

private:
    std::string m_stateName;
    std::string m_type;
    int m_limit = 100;
    std::optional<JobState> m_state;
};

} // namespace ym::cli
