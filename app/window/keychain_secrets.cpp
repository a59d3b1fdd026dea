#include "app/window/keychain_secrets.h"

#include "core/base/log.h"

#include <QFileInfo>
#include <QPromise>

#include <memory>

#include <qt6keychain/keychain.h>

namespace ym {

namespace {

constexpr auto service = "yardmaster";

bool hasSessionBus()
{
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")
        || QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR", QStringLiteral("/nonexistent"))
                             + QStringLiteral("/bus"));
}

template <typename T> using SharedPromise = std::shared_ptr<QPromise<Result<T>>>;

template <typename T> SharedPromise<T> newPromise()
{
    auto promise = std::make_shared<QPromise<Result<T>>>();
    promise->start();
    return promise;
}

template <typename T> void keep(const SharedPromise<T> &promise, Result<T> result)
{
    promise->addResult(std::move(result));
    promise->finish();
}

} // namespace

KeychainSecrets::KeychainSecrets(QObject *parent)
    : QObject(parent)
    , m_works(hasSessionBus())
{
}

QFuture<Result<QString>> KeychainSecrets::read(QString key)
{
    const auto promise = newPromise<QString>();
    const auto none = [] { return failure(ErrorKind::NotFound, tr("There is no stored password.")); };
    if (m_memory.contains(key)) {
        keep<QString>(promise, m_memory.value(key));
    } else if (!m_works) {
        keep<QString>(promise, none());
    } else {
        auto *const job = new QKeychain::ReadPasswordJob(QLatin1String(service), this);
        job->setKey(key);
        connect(job, &QKeychain::Job::finished, this, [this, job, promise, none] {
            const bool found = answered(job) && job->error() == QKeychain::NoError;
            keep<QString>(promise, found ? Result<QString>(job->textData()) : Result<QString>(none()));
        });
        job->start();
    }
    return promise->future();
}

QFuture<Result<bool>> KeychainSecrets::write(QString key, QString secret)
{
    const auto promise = newPromise<bool>();
    if (!m_works) {
        m_memory.insert(key, secret);
        keep<bool>(promise, false);
        return promise->future();
    }
    auto *const job = new QKeychain::WritePasswordJob(QLatin1String(service), this);
    job->setKey(key);
    job->setTextData(secret);
    connect(job, &QKeychain::Job::finished, this, [this, job, promise, key, secret] {
        const bool written = answered(job) && job->error() == QKeychain::NoError;
        if (written)
            m_memory.remove(key);
        else
            m_memory.insert(key, secret);
        keep<bool>(promise, written);
    });
    job->start();
    return promise->future();
}

QFuture<Result<bool>> KeychainSecrets::remove(QString key)
{
    const auto promise = newPromise<bool>();
    const bool wasInMemory = m_memory.remove(key) > 0;
    if (!m_works) {
        keep<bool>(promise, wasInMemory);
        return promise->future();
    }
    auto *const job = new QKeychain::DeletePasswordJob(QLatin1String(service), this);
    job->setKey(key);
    connect(job, &QKeychain::Job::finished, this, [this, job, promise, wasInMemory] {
        const bool removed = answered(job) && job->error() == QKeychain::NoError;
        keep<bool>(promise, removed || wasInMemory);
    });
    job->start();
    return promise->future();
}

bool KeychainSecrets::answered(const QKeychain::Job *job)
{
    const QKeychain::Error error = job->error();
    const bool works = error == QKeychain::NoError || error == QKeychain::EntryNotFound;
    // A person who refuses to unlock it has a keychain all the same; this once the password stays in memory.
    const bool isRefusal = error == QKeychain::AccessDenied || error == QKeychain::AccessDeniedByUser;
    if (!works)
        qCWarning(logUi, "the keychain did not take part: %s", qPrintable(job->errorString()));
    if (!works && !isRefusal)
        m_works = false;
    return works;
}

} // namespace ym
