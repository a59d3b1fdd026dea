#include "app/cli/commands.h"

#include "app/cli/commands/acl_command.h"
#include "app/cli/commands/audit_command.h"
#include "app/cli/commands/doctor_command.h"
#include "app/cli/commands/export_command.h"
#include "app/cli/commands/interpreters_command.h"
#include "app/cli/commands/list_command.h"
#include "app/cli/commands/logs_command.h"
#include "app/cli/commands/move_command.h"
#include "app/cli/commands/output_command.h"
#include "app/cli/commands/purge_command.h"
#include "app/cli/commands/queues_command.h"
#include "app/cli/commands/remove_command.h"
#include "app/cli/commands/requeue_command.h"
#include "app/cli/commands/restore_command.h"
#include "app/cli/commands/retry_command.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/commands/serve_command.h"
#include "app/cli/commands/show_command.h"
#include "app/cli/commands/stop_command.h"
#include "app/cli/commands/submit_command.h"
#include "app/cli/commands/wait_command.h"
#include "app/cli/commands/worker_command.h"
#include "app/cli/commands/workers_command.h"
#include "app/cli/commands/workspace_command.h"

namespace ym::cli {

namespace {

template <typename T> std::unique_ptr<Command> make()
{
    return std::make_unique<T>();
}

constexpr CommandRow rows[] = {
    {"run", "Run a script here and now as a job, with its output on this terminal", make<RunCommand>},
    {"submit", "Queue a script for whoever works there", make<SubmitCommand>},
    {"list", "List jobs, newest first", make<ListCommand>},
    {"show", "Show everything about one job", make<ShowCommand>},
    {"output", "Print what a job has written", make<OutputCommand>},
    {"logs", "Print the log file of a job that ran on this machine", make<LogsCommand>},
    {"wait", "Wait until jobs are over", make<WaitCommand>},
    {"stop", "Stop jobs, queued or running", make<StopCommand>},
    {"retry", "Run jobs that are over once more", make<RetryCommand>},
    {"requeue", "Take jobs away from whoever runs them and queue them again", make<RequeueCommand>},
    {"move", "Give jobs that have not started another queue", make<MoveCommand>},
    {"remove", "Delete jobs that do not run", make<RemoveCommand>},
    {"purge", "Empty a queue and delete its jobs", make<PurgeCommand>},
    {"restore", "Bring removed jobs back", make<RestoreCommand>},
    {"queues", "List queues: how deep, who listens, what is next", make<QueuesCommand>},
    {"workers", "List live workers", make<WorkersCommand>},
    {"doctor", "Say what is stuck, lost or odd, and what to do about it", make<DoctorCommand>},
    {"serve", "Open the embedded store to Redis clients and workers of any language", make<ServeCommand>},
    {"worker", "Work: take jobs and run them until told to stop", make<WorkerCommand>},
    {"interpreters", "List what runs which script type here, with versions", make<InterpretersCommand>},
    {"audit", "List what was executed on this machine", make<AuditCommand>},
    {"export", "Copy everything into another store, and compare", make<ExportCommand>},
    {"workspace", "Look at the log of a workspace that does not open, and salvage it", make<WorkspaceCommand>},
    {"acl", "Print the least rights of a Redis user", make<AclCommand>},
};

} // namespace

std::span<const CommandRow> commandRows()
{
    return rows;
}

} // namespace ym::cli
