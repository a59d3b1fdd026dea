// yardmaster restore: brings removed jobs back.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class RestoreCommand final : public Command {
public:
    void define(OptionSet *options) override;
    QCoro::Task<int> run(Context *context) override;

private:
    bool m_lists = false;
    QByteArray m_name;
};

} // namespace ym::cli
