// yardmaster retry: runs jobs that are over once more.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class RetryCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QList<QByteArray> m_ids;
};

} // namespace ym::cli
