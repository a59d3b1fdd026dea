#include "app/cli/tool.h"

#include "app/cli/attempt.h"
#include "app/cli/store_choice.h"
#include "app/cli/words.h"

#include "core/base/task_scope.h"
#include "core/engine/protocols.h"
#include "core/engine/store_factory.h"
#include "core/store/read_only_store.h"

#include <QCoreApplication>
#include <QTimer>

namespace ym::cli {

namespace {

// From this signal on nothing is waited for any more: the store is closed under whatever still runs.
constexpr int closesStore = 3;

Result<const Protocol *> chooseProtocol(const QByteArray &name)
{
    if (const Protocol *const found = protocols().find(name))
        return found;
    QStringList known;
    for (const Protocol *protocol : protocols().all())
        known.append(QString::fromLatin1(protocol->name()));
    return failure(ErrorKind::Usage, tr("There is no such protocol."),
                   tr("Choose one of: %1.").arg(known.join(QStringLiteral(", "))));
}

/// Folders are made only where a workspace will be: an error about HOME is for those who need it (RELIABILITY 9, C11).
Result<void> prepareFolders(const StoreAddress &address, const Paths &paths)
{
    if (address.kind != StoreAddress::Kind::Embedded || !address.folder.isEmpty())
        return {};
    return ensureFolder(paths.defaultWorkspace());
}

class Tool {
public:
    Tool(ToolRequest request, Console *console, Interrupts *interrupts)
        : m_request(std::move(request))
        , m_console(console)
        , m_interrupts(interrupts)
    {
    }

    int exec();

private:
    Result<void> prepare();
    QCoro::Task<void> work();
    QCoro::Task<int> openAndRun();
    int report(const Error &error) const;

    ToolRequest m_request;
    Console *m_console;
    Interrupts *m_interrupts;
    Context m_context;
    std::unique_ptr<Store> m_store;
    TaskScope m_scope{"yardmaster"};
    int m_exitCode = ExitFailed;
};

int Tool::exec()
{
    if (const Result<void> ready = prepare(); !ready)
        return report(ready.error());
    QTimer::singleShot(0, m_store.get(), [this] { m_scope.spawn(work()); });
    QCoreApplication::exec();
    return m_exitCode;
}

Result<void> Tool::prepare()
{
    const Result<StoreAddress> address = chooseStore(m_request.store);
    if (!address)
        return tl::unexpected(address.error());
    const Result<const Protocol *> protocol = chooseProtocol(m_request.protocol);
    if (!protocol)
        return tl::unexpected(protocol.error());
    if (address->kind == StoreAddress::Kind::Memory && !m_request.command->worksInMemory())
        return failure(ErrorKind::Usage, tr("A memory: store is empty now and gone when the command ends."),
                       tr("Use embedded:FOLDER or a Redis."));
    ProtocolOptions options;
    options.keys = m_request.keys;
    options.order = m_request.order;
    m_context = {m_console,         m_interrupts, &Clock::system(), nullptr, *protocol, options,
                 Paths::standard(), {},           *address,         {}};
    m_context.spoolFolder = folderFor(*address, m_request.protocol, m_context.paths.spool());
    m_context.removedFolder = folderFor(*address, m_request.protocol, m_context.paths.removed());
    if (const Result<void> checked = m_request.command->check(m_context.paths); !checked)
        return checked;
    if (m_request.command->opensStore()) {
        if (const Result<void> folders = prepareFolders(*address, m_context.paths); !folders)
            return folders;
    }
    if (m_request.readOnly && !m_request.command->worksReadOnly())
        return failure(ErrorKind::Usage, tr("It lets others change the store."), tr("Leave --read-only out."));
    m_store = makeStore(*address, m_context.paths, m_context.clock);
    if (m_request.readOnly) {
        const Error refusal{ErrorKind::ReadOnly, tr("Nothing may be changed here."),
                            tr("Leave --read-only out to change something."), false};
        m_store = std::make_unique<ReadOnlyStore>(std::move(m_store), refusal);
    }
    m_context.store = m_store.get();
    QObject::connect(m_console, &Console::closed, m_interrupts, &Interrupts::request);
    QObject::connect(m_interrupts, &Interrupts::requested, m_store.get(), [this](int count) {
        if (count >= closesStore || !m_interrupts->isHandled())
            m_store->close();
    });
    return {};
}

QCoro::Task<void> Tool::work()
{
    const Result<int> result = co_await attempt(openAndRun());
    m_exitCode = result ? *result : report(result.error());
    m_store->close();
    QCoreApplication::quit();
}

QCoro::Task<int> Tool::openAndRun()
{
    if (!m_request.command->opensStore())
        co_return co_await m_request.command->run(&m_context);
    const Result<void> opened = co_await attempt(m_store->open());
    const bool waits = !opened && isTransient(opened.error().kind) && m_request.command->waitsForStore();
    if (!opened && !waits)
        throw StoreError(opened.error());
    if (waits) {
        m_console->remark(opened.error().text() + u' ' + tr("Trying again until it answers."));
        const bool ready = co_await m_store->waitUntilReady(m_interrupts->token());
        if (!ready && !m_interrupts->token().stop_requested())
            throw StoreError(m_store->status().trouble);
        if (!ready)
            co_return ExitInterrupted;
    }
    co_return co_await m_request.command->run(&m_context);
}

int Tool::report(const Error &error) const
{
    // Whoever closed the pipe has seen enough: nothing went wrong (RELIABILITY 9, C7).
    if (m_console->isClosed())
        return error.kind == ErrorKind::Cancelled ? ExitOk : ExitFailed;
    if (m_interrupts->count() > 0 && error.kind == ErrorKind::Cancelled)
        return ExitInterrupted;
    m_console->error(error.text());
    return error.kind == ErrorKind::Usage ? ExitUsage : ExitFailed;
}

} // namespace

int runTool(ToolRequest request)
{
    const Console::Format format = request.format;
    Console console(format); // last to go: it writes what is left, and a signal then ends the process as usual
    Interrupts interrupts;
    return Tool(std::move(request), &console, &interrupts).exec();
}

} // namespace ym::cli
