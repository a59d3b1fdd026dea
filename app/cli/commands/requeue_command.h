// yardmaster requeue: takes jobs away from whoever runs them and queues them again.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class RequeueCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QList<QByteArray> m_ids;
};

} // namespace ym::cli
