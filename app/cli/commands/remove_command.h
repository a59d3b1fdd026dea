// yardmaster remove: deletes jobs that do not run.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class RemoveCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QList<QByteArray> m_ids;
};

} // namespace ym::cli
