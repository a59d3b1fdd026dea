// yardmaster show: everything about one job.
#pragma once

#include "app/cli/command.h"

#include <string>

namespace ym::cli {

class ShowCommand final : public Command {
public:
    void define(CLI::App *app) override;
    QCoro::Task<int> run(Context *context) override;

private:
    std::string m_id;
};

} // namespace ym::cli
