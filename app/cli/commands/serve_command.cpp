#include "app/cli/commands/serve_command.h"

#include "app/cli/words.h"

#include "core/base/completion.h"
#include "core/engine/endpoint_path.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/endpoint/endpoint.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QUrl>

#include <nlohmann/json.hpp>

namespace ym::cli {

namespace {

constexpr size_t passwordWords = 6; ///< of 32 bits each

QByteArray newPassword()
{
    quint32 words[passwordWords];
    QRandomGenerator::system()->fillRange(words);
    return QByteArray(reinterpret_cast<const char *>(words), sizeof words)
        .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

} // namespace

void ServeCommand::define(OptionSet *options)
{
    options->text("-p,--port", &m_portText, "Listen on this port of 127.0.0.1; 0 = any free one");
    options->text("-u,--unix", &m_path, "Listen on this unix socket; one in the runtime folder when neither is given");
    options->notes(
        "Opens the embedded store to Redis clients and to workers of any language until SIGINT, SIGTERM or a client's\n"
        "SHUTDOWN, and prints how to reach it. The socket is for this user alone and needs no password. A port does:\n"
        "the one in YARDMASTER_PASSWORD, or one that is made up and printed in the URL.\n\n"
        "Examples:\n"
        "  yardmaster serve\n"
        "  yardmaster --store memory: serve --port 0\n"
        "  yardmaster --store embedded:/srv/jobs serve --unix /srv/jobs/redis.sock");
}

Result<void> ServeCommand::check(const Paths &)
{
    if (m_portText.isEmpty())
        return {};
    bool isNumber = false;
    m_port = m_portText.toUShort(&isNumber);
    if (!isNumber)
        return failure(ErrorKind::Usage, tr("A port is a number from 0 to 65535."), tr("0 takes any free one."));
    return {};
}

QCoro::Task<int> ServeCommand::run(Context *context)
{
    auto *const store = dynamic_cast<EmbeddedStore *>(context->store);
    if (!store)
        throw StoreError(ErrorKind::Usage, tr("Only an embedded store can be served: a Redis serves itself."),
                         tr("Use embedded:FOLDER or memory:."));
    Endpoint endpoint(store);
    endpoint.setMayShutDown(true);
    const Json urls = open(context, store, &endpoint);
    Console *const console = context->console;
    if (console->isJson()) {
        console->json(urls);
    } else {
        for (const auto &[name, url] : urls.items())
            console->line(QString::fromStdString(url.get<std::string>()));
    }
    console->remark(tr("Serving %1. Ctrl+C ends it.").arg(store->displayName()));
    co_await untilTold(context, &endpoint);
    store->publishEndpoint({});
    endpoint.close();
    co_return ExitOk;
}

/// Opens what was asked for; returns the URLs by kind.
Json ServeCommand::open(Context *context, EmbeddedStore *store, Endpoint *endpoint) const
{
    Json urls = Json::object();
    if (!m_path.isEmpty() || !m_port)
        openUnix(context, store, endpoint, &urls);
    if (m_port)
        openPort(context, endpoint, &urls);
    return urls;
}

void ServeCommand::openUnix(Context *context, EmbeddedStore *store, Endpoint *endpoint, Json *urls) const
{
    const Result<QString> path =
        m_path.isEmpty() ? newEndpointPath() : QDir::current().absoluteFilePath(QFile::decodeName(m_path));
    if (!path)
        throw StoreError(path.error());
    if (const Result<void> opened = endpoint->listenUnix(*path); !opened)
        throw StoreError(opened.error());
    if (const Result<void> published = store->publishEndpoint(*path); !published)
        context->console->remark(published.error().text());
    (*urls)["unix"] = "unix:" + path->toStdString();
}

void ServeCommand::openPort(const Context *context, Endpoint *endpoint, Json *urls) const
{
    const bool isGenerated = context->password.isEmpty();
    const QByteArray password = isGenerated ? newPassword() : context->password.toUtf8();
    const Result<quint16> port = endpoint->listenTcp(*m_port, password);
    if (!port)
        throw StoreError(port.error());
    const QString user = isGenerated ? u':' + QString::fromLatin1(password) + u'@' : QString();
    (*urls)["port"] = ("redis://" + user + "127.0.0.1:" + QString::number(*port)).toStdString();
    if (!isGenerated)
        context->console->remark(tr("The password of the port is the one in YARDMASTER_PASSWORD."));
}

/// Returns at the first signal, when a client says SHUTDOWN, or when the store is closed.
QCoro::Task<void> ServeCommand::untilTold(Context *context, Endpoint *endpoint)
{
    const Completion<bool> told;
    const auto end = [told] { told.resolve(true); };
    Interrupts *const interrupts = context->interrupts;
    interrupts->setHandled(true);
    QObject::connect(interrupts, &Interrupts::requested, endpoint, end, Qt::QueuedConnection);
    QObject::connect(endpoint, &Endpoint::shutdownRequested, endpoint, end, Qt::QueuedConnection);
    QObject::connect(context->store, &Store::statusChanged, endpoint, end, Qt::QueuedConnection);
    co_await told;
}

} // namespace ym::cli
