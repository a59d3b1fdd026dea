// yardmaster acl: the least rights of a Redis user.
#pragma once

#include "app/cli/command.h"

namespace ym::cli {

class AclCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QByteArray m_roleName;
    QByteArray m_user;
    QByteArray m_group = "default";
    QByteArray m_instance;
    QByteArray m_workerId;
    QList<QByteArray> m_types;
    AccessRole m_role = AccessRole::Viewer;
};

} // namespace ym::cli
