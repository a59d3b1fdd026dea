// yardmaster show: everything about one job.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class ShowCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_id;
    QByteArray m_field; ///< empty = everything
    bool m_reveal = false;
};

} // namespace ym::cli
