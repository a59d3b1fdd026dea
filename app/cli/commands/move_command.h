// yardmaster move: gives jobs that have not started another queue.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class MoveCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QList<QByteArray> m_ids;
    QByteArray m_type;
    QByteArray m_group;
    QByteArray m_instance;
    QByteArray m_worker;
    int m_priority = 1;
};

} // namespace ym::cli
