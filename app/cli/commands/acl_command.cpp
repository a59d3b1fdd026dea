#include "app/cli/commands/acl_command.h"

#include "app/cli/job_json.h"
#include "app/cli/words.h"

#include "core/base/text.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace ym::cli {

namespace {

struct RoleRow {
    const char *name;
    AccessRole role;
};
constexpr RoleRow roles[] = {
    {"viewer", AccessRole::Viewer}, {"worker", AccessRole::Worker}, {"dispatcher", AccessRole::Dispatcher}};

/// 128 bits from the system's generator.
QByteArray freshPassword()
{
    QByteArray bytes(16, Qt::Uninitialized);
    QRandomGenerator::system()->generate(reinterpret_cast<quint32 *>(bytes.data()),
                                         reinterpret_cast<quint32 *>(bytes.data() + bytes.size()));
    return bytes.toHex();
}

/// What would break out of a rule: rules are words, and patterns have their own signs.
bool isPlain(const QByteArray &name)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_.-]{1,100}\\z"));
    return plain.match(QString::fromUtf8(name)).hasMatch();
}

/// The types that the store knows of: from queues and from workers.
QCoro::Task<QList<QByteArray>> typesInUse(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const QList<QueueInfo> queues = co_await inspector->queues();
    const QList<WorkerInfo> workers = co_await inspector->workers();
    QSet<QByteArray> types;
    for (const QueueInfo &queue : queues)
        types.insert(queue.target.type);
    for (const WorkerInfo &worker : workers)
        types.insert(worker.target.type);
    QList<QByteArray> list;
    for (const QByteArray &type : types) {
        if (isPlain(type))
            list.append(type);
    }
    std::sort(list.begin(), list.end());
    co_return list;
}

} // namespace

void AclCommand::define(OptionSet *options)
{
    options->argument("ROLE", &m_roleName, "viewer, worker or dispatcher");
    options->texts("-t,--type", &m_types, "Type that the worker serves; without it every type that the store knows");
    options->text("-g,--group", &m_group, "Group of the worker");
    options->text("-i,--instance", &m_instance, "Instance of the worker; without it any of the group");
    options->text("--worker-id", &m_workerId, "The worker id as which the worker serves legacy queues");
    options->text("-u,--user", &m_user, "Name of the user; without it hero-ROLE");
    options->notes(
        "Prints a line for the server's ACL file; with ACL SETUSER in place of its first word it is a command. The password\n"
        "is new each time. A viewer looks, a worker runs jobs and queues none, a dispatcher does everything but administer\n"
        "the server. Retries, and what becomes free when another job ends, are queued for such a worker by whoever has a\n"
        "dispatcher's rights: a window, or a worker of any type.\n\n"
        "Examples:\n"
        "  yardmaster --store redis://queue.example acl viewer\n"
        "  yardmaster acl worker --type python --group etl --instance 1");
}

Result<void> AclCommand::check(const Paths &)
{
    const auto row = std::find_if(std::begin(roles), std::end(roles), [&](const RoleRow &one) { return m_roleName == one.name; });
    if (row == std::end(roles))
        return failure(ErrorKind::Usage, tr("“%1” is no role.").arg(shownText(m_roleName, Lines::Flatten, 60)),
                       tr("Write viewer, worker or dispatcher."));
    m_role = row->role;
    if (m_user.isEmpty())
        m_user = "hero-" + m_roleName;
    QList<QByteArray> names{m_user, m_group};
    names += m_types;
    for (const QByteArray &name : {m_instance, m_workerId}) {
        if (!name.isEmpty())
            names.append(name);
    }
    for (const QByteArray &name : std::as_const(names)) {
        if (!isPlain(name))
            return failure(ErrorKind::Usage, tr("“%1” cannot stand in a rule.").arg(shownText(name, Lines::Flatten, 60)),
                           tr("Use letters, digits, “_”, “.” and “-”."));
    }
    return {};
}

QCoro::Task<int> AclCommand::run(Context *context)
{
    WorkerIdentity who;
    who.types = m_types;
    who.group = m_group;
    who.instance = m_instance;
    who.legacyId = m_workerId;
    if (who.types.isEmpty() && m_role == AccessRole::Worker) {
        who.types = co_await typesInUse(context);
        if (who.types.isEmpty())
            throw StoreError(ErrorKind::NotFound, tr("The store knows no type yet."), tr("Name one with --type."));
    }
    const QByteArray password = freshPassword();
    const QList<QByteArray> rules = context->protocol->accessRules(m_role, who);
    Console *const console = context->console;
    if (console->isJson()) {
        Json json;
        json["user"] = toJson(m_user);
        json["password"] = toJson(password);
        json["rules"] = Json::array();
        for (const QByteArray &rule : rules)
            json["rules"].push_back(toJson(rule));
        console->json(json);
        co_return ExitOk;
    }
    console->line(QString::fromUtf8("user " + m_user + " on >" + password + ' ' + rules.join(' ')));
    co_return ExitOk;
}

} // namespace ym::cli
