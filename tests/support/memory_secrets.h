// Passwords in memory, for tests.
#pragma once

#include "core/engine/answer.h"
#include "core/engine/session.h"

namespace ym::test {

class MemorySecrets final : public Secrets {
public:
    bool isPersistent() const override { return false; }
    QFuture<Result<QString>> read(QString key) override { return answered<QString>(m_values.value(key)); }
    QFuture<Result<bool>> write(QString key, QString secret) override
    {
        m_values[key] = secret;
        return answered<bool>(true);
    }
    QFuture<Result<bool>> remove(QString key) override { return answered<bool>(m_values.remove(key) > 0); }

private:
    QHash<QString, QString> m_values;
};

} // namespace ym::test
