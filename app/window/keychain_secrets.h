// Passwords in the desktop's keychain, or in memory when there is none.
#pragma once

#include "core/engine/session.h"

#include <QHash>
#include <QObject>

namespace QKeychain {
class Job;
}

namespace ym {

/// Secrets over QtKeychain (Secret Service, KWallet). Nothing is ever written elsewhere: when the keychain does not
/// work, a password lives until the application ends, and isPersistent() says so (RELIABILITY 6.6). GUI thread.
class KeychainSecrets final : public QObject, public Secrets {
    Q_OBJECT
public:
    explicit KeychainSecrets(QObject *parent = nullptr);

    /// True as long as there is a session bus and nothing has failed there. Asking the keychain itself only to know
    /// would make it ask for its own password at every start.
    bool isPersistent() const override { return m_works; }
    /// NotFound when there is no such secret.
    QFuture<Result<QString>> read(QString key) override;
    /// True when it was written to the keychain, false when it is kept in memory.
    QFuture<Result<bool>> write(QString key, QString secret) override;
    /// False when there was none.
    QFuture<Result<bool>> remove(QString key) override;

private:
    /// Notes whether the keychain works, from how a job ended. True when it gave an answer, be it "there is none".
    bool answered(const QKeychain::Job *job);

    bool m_works;
    QHash<QString, QString> m_memory;
};

} // namespace ym
