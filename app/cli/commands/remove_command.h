// yardmaster remove: deletes jobs that do not run.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace ym::cli {

class RemoveCommand final : public Command {
public:
    void define(CLI::App *app) override;
    QCoro::Task<int> run(Context *context) override;

private:
    std::vector<std::string> m_ids;
};

} // namespace ym::cli
