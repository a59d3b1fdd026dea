#include "app/cli/commands/serve_command.h"

#include "app/cli/words.h"

#include "core/base/completion.h"
#include "core/engine/attachment.h"
#include "core/engine/endpoint_path.h"
#include "core/engine/workspace_store.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/endpoint/endpoint.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

namespace ym::cli {

void ServeCommand::define(OptionSet *options)
{
    options->text("-p,--port", &m_portText, "Listen on this port of 127.0.0.1; 0 = any free one");
    options->text("-u,--unix", &m_path, "Listen on this unix socket instead of the one in the runtime folder");
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
    std::unique_ptr<Endpoint> own;
    Endpoint *const endpoint = endpointOf(context->store, &own);
    endpoint->setMayShutDown(true);
    const Json urls = open(context, endpoint);
    Console *const console = context->console;
    if (console->isJson()) {
        console->json(urls);
    } else {
        for (const auto &[name, url] : urls.items())
            console->line(QString::fromStdString(url.get<std::string>()));
    }
    console->remark(tr("Serving %1. Ctrl+C ends it.").arg(context->store->displayName()));
    co_await untilTold(context, endpoint);
    co_return ExitOk;
}

/// The one through which others come into a workspace already, or one of its own for a store in memory.
Endpoint *ServeCommand::endpointOf(Store *store, std::unique_ptr<Endpoint> *own)
{
    if (const auto *const workspace = dynamic_cast<WorkspaceStore *>(store)) {
        if (Endpoint *const endpoint = workspace->endpoint())
            return endpoint;
        throw StoreError(ErrorKind::Conflict,
                         tr("Process %1 has the workspace and serves it already.").arg(workspace->hostPid()),
                         tr("Use it there: unix:%1").arg(workspace->socketPath()));
    }
    auto *const embedded = dynamic_cast<EmbeddedStore *>(store);
    if (!embedded)
        throw StoreError(ErrorKind::Usage, tr("Only an embedded store can be served: a Redis serves itself."),
                         tr("Use embedded:FOLDER or memory:."));
    *own = std::make_unique<Endpoint>(embedded);
    return own->get();
}

/// Opens what was asked for; returns the URLs by kind.
Json ServeCommand::open(Context *context, Endpoint *endpoint) const
{
    Json urls = Json::object();
    if (!m_path.isEmpty() || (!m_port && endpoint->unixPath().isEmpty()))
        openUnix(context, endpoint);
    if (!endpoint->unixPath().isEmpty())
        urls["unix"] = "unix:" + endpoint->unixPath().toStdString();
    if (m_port)
        openPort(context, endpoint, &urls);
    return urls;
}

void ServeCommand::openUnix(Context *context, Endpoint *endpoint) const
{
    const Result<QString> path =
        m_path.isEmpty() ? newEndpointPath() : QDir::current().absoluteFilePath(QFile::decodeName(m_path));
    if (!path)
        throw StoreError(path.error());
    if (const Result<void> opened = endpoint->listenUnix(*path); !opened)
        throw StoreError(opened.error());
    const auto *const workspace = dynamic_cast<WorkspaceStore *>(context->store);
    if (!workspace)
        return;
    if (const Result<void> published = workspace->embedded()->publishEndpoint(*path); !published)
        context->console->remark(published.error().text());
}

void ServeCommand::openPort(const Context *context, Endpoint *endpoint, Json *urls) const
{
    const bool isGenerated = context->address.password.isEmpty();
    const QString password = isGenerated ? newPortPassword() : context->address.password;
    const Result<quint16> port = endpoint->listenTcp(*m_port, password.toUtf8());
    if (!port)
        throw StoreError(port.error());
    const QString url = isGenerated ? portUrl(*port, password) : QStringLiteral("redis://127.0.0.1:%1").arg(*port);
    (*urls)["port"] = url.toStdString();
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
