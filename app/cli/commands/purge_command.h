// yardmaster purge: empties a queue and deletes its jobs.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class PurgeCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_queue;
    bool m_isSure = false;
};

} // namespace ym::cli
