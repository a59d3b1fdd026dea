// yardmaster output: what a job has written.
#pragma once

#include "app/cli/command.h"

#include <string>

namespace ym::cli {

class OutputCommand final : public Command {
public:
    void define(CLI::App *app) override;
    QCoro::Task<int> run(Context *context) override;

private:
    std::string m_id;
};

} // namespace ym::cli
