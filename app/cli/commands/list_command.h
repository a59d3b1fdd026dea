// yardmaster list: jobs, newest first.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class NewestJobs;

class ListCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QCoro::Task<void> collect(Context *context, NewestJobs *newest);

    QByteArray m_stateName;
    QByteArray m_type;
    int m_limit = 100;
    std::optional<JobState> m_state;
};

} // namespace ym::cli
