#include "app/cli/commands/export_command.h"

#include "app/cli/attempt.h"
#include "app/cli/store_choice.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/engine/store_factory.h"

namespace ym::cli {

using transfer::Collision;
using transfer::Fate;
using transfer::Tally;
using transfer::Transfer;

namespace {

/// The value of one line "name:value" or of one word "name=value" in what a server tells about itself.
QByteArray valueOf(const QByteArray &text, const QByteArray &name)
{
    const qsizetype start = text.indexOf(name);
    if (start < 0)
        return {};
    const qsizetype from = start + name.size();
    qsizetype to = from;
    while (to < text.size() && text[to] != '\r' && text[to] != '\n' && text[to] != ' ')
        ++to;
    return text.mid(from, to - from);
}

/// Run and database of the server behind a connection; empty when it does not tell.
QCoro::Task<QByteArray> placeOf(Store *store)
{
    std::vector<ym::Command> ask;
    ask.push_back(cmd("INFO", "server"));
    ask.push_back(cmd("CLIENT", "INFO"));
    const std::vector<Reply> told = co_await store->pipeline(std::move(ask));
    const QByteArray run = valueOf(told.at(0).string, "run_id:");
    co_return run.isEmpty() ? QByteArray() : run + '/' + valueOf(told.at(1).string, " db=");
}

} // namespace

void ExportCommand::define(OptionSet *options)
{
    options->text("--to", &m_to, "URL of the store to copy to");
    options->flag("--dry-run", &m_isDryRun, "Only say what would be copied and what is in the way");
    options->flag("--overwrite", &m_overwrites, "Replace keys that are different there");
    options->flag("--skip-existing", &m_skips, "Leave keys that are different there as they are");
    options->flag("--no-verify", &m_doesNotVerify, "Do not compare everything at the end");
    options->notes(
        "Copies all keys of one database from --store (or --from) into another store: strings, hashes, lists, sets and\n"
        "sorted sets, with what is left of their lives. The source is only read. Nothing is replaced in the target unless\n"
        "--overwrite says so: without it a key that is different there stops the copy before it begins.\n"
        "A copy that was interrupted goes on when the same command is run again, because equal keys are left alone.\n"
        "Stop workers and producers first: what changes meanwhile is found by the comparison at the end and named; run\n"
        "again with --overwrite to bring it up to date.\n"
        "The password of the target is better kept in YARDMASTER_TO_PASSWORD. Its user needs to write keys that begin\n"
        "with yardmaster:copy:, under which each key is built before it gets its name.\n\n"
        "Exit code: 0 everything is there, 1 something is in the way, could not be copied or differs, 130 interrupted.\n\n"
        "Examples:\n"
        "  yardmaster export --to redis://queue.example --dry-run\n"
        "  yardmaster --store embedded:/srv/jobs export --to redis://queue.example/2");
}

Result<void> ExportCommand::check(const Paths &paths)
{
    if (m_to.isEmpty())
        return failure(ErrorKind::Usage, tr("It is not said where to copy to."), tr("Add --to redis://HOST."));
    if (m_overwrites && m_skips)
        return failure(ErrorKind::Usage, tr("--overwrite and --skip-existing exclude each other."));
    Result<StoreAddress> address = chooseTarget(m_to);
    if (!address)
        return tl::unexpected(address.error());
    if (address->kind == StoreAddress::Kind::Memory)
        return failure(ErrorKind::Usage, tr("A memory: store is gone when the command ends."),
                       tr("Copy to embedded:FOLDER or to a Redis."));
    m_address = *address;
    m_target = makeStore(m_address, paths, &Clock::system());
    return {};
}

Collision ExportCommand::collision() const
{
    return m_overwrites ? Collision::Overwrite : m_skips ? Collision::Skip : Collision::Refuse;
}

QCoro::Task<int> ExportCommand::run(Context *context)
{
    Store *const target = m_target.get();
    QObject::connect(context->interrupts, &Interrupts::requested, target, [target] { target->close(); });
    m_diary.emplace(context->console, context->clock, context->store->displayName(), target->displayName());
    const Result<int> done = co_await attempt(work(context));
    target->close();
    if (context->interrupts->count() > 0)
        context->console->remark(tr("Interrupted; the same command goes on from here."));
    if (!done)
        throw StoreError(done.error());
    co_return int(*done);
}

QCoro::Task<int> ExportCommand::work(Context *context)
{
    co_await m_target->open();
    const bool isSame = co_await isSameServer(context->store);
    if (isSame)
        throw StoreError(ErrorKind::Usage, tr("Source and target are the same store."));
    co_await remarkOnOthers(context);
    Transfer transfer({context->store, m_target.get(), context->clock, context->interrupts->token(),
                       m_diary->listener()});

    const Reply before = co_await m_target->command(cmd("DBSIZE"));
    m_diary->nameExtraKeys(before.toInteger() == 0);
    const Reply expected = co_await context->store->command(cmd("DBSIZE"));
    m_diary->begin("look", expected.toInteger());
    const Tally plan = co_await transfer.survey();
    m_diary->plan(plan);
    const qint64 collisions = plan.count(Fate::Different);
    const bool isRefused = collisions > 0 && collision() == Collision::Refuse;
    if (isRefused || m_isDryRun)
        m_diary->end(isRefused ? "refused" : "planned", Tally{}, std::nullopt);
    if (isRefused && !m_isDryRun)
        throw StoreError(ErrorKind::Conflict, tr("%1 keys are different in the target; nothing was copied.").arg(collisions),
                         tr("Choose --overwrite or --skip-existing, or another target."));
    if (isRefused || m_isDryRun)
        co_return isRefused ? ExitFailed : ExitOk;
    co_return co_await carryOver(&transfer, plan);
}

QCoro::Task<int> ExportCommand::carryOver(Transfer *transfer, Tally plan)
{
    m_diary->begin("copy", plan.keys);
    const Tally copied = co_await transfer->copy(collision());
    std::optional<Tally> verified;
    if (!m_doesNotVerify) {
        m_diary->begin("verify", copied.keys);
        verified = co_await transfer->verify();
    }
    const qint64 kept = copied.count(Fate::Different);
    bool isComplete = copied.count(Fate::Unsupported) == 0 && (kept == 0 || collision() == Collision::Skip);
    if (verified)
        isComplete = isComplete && verified->count(Fate::Different) <= kept && verified->count(Fate::Missing) == 0;
    m_diary->end(isComplete ? "copied" : "incomplete", copied, verified);
    co_return isComplete ? ExitOk : ExitFailed;
}

QCoro::Task<bool> ExportCommand::isSameServer(Store *source)
{
    if (source->displayName() == m_target->displayName())
        co_return true;
    const QByteArray here = co_await placeOf(source);
    const QByteArray there = co_await placeOf(m_target.get());
    co_return !here.isEmpty() && here == there;
}

/// What a person should know before: warnings of the target, databases that are not copied.
QCoro::Task<void> ExportCommand::remarkOnOthers(Context *context)
{
    const QStringList warnings = m_target->status().warnings;
    for (const QString &warning : warnings)
        context->console->remark(tr("The target: %1").arg(warning));
    const Reply told = co_await context->store->command(cmd("INFO", "keyspace"));
    const qsizetype databases = told.toBytes().count(":keys=");
    if (databases > 1)
        context->console->remark(
            tr("The source has keys in %1 databases; only one is copied at a time.").arg(databases));
}

} // namespace ym::cli
