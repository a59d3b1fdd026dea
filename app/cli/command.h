// What one subcommand is, and what it gets to work with.
#pragma once

#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupts.h"
#include "app/cli/option_set.h"

#include "core/engine/paths.h"
#include "core/protocol/protocol.h"
#include "core/store/store_address.h"

#include <memory>

#include <QCoroTask>

namespace ym::cli {

/// Lives as long as the command runs.
struct Context {
    Console *console = nullptr;
    Interrupts *interrupts = nullptr;
    Clock *clock = nullptr;
    Store *store = nullptr; ///< open, when the command wants that
    const Protocol *protocol = nullptr;
    ProtocolOptions options;
    Paths paths;
    QString spoolFolder; ///< for results that cannot reach this store; empty = memory
    StoreAddress address; ///< its password: from the URL or YARDMASTER_PASSWORD
    QString removedFolder; ///< for what is removed from this store; empty = it is not kept

    std::unique_ptr<Producer> producer() const { return protocol->producer(store, options, clock); }
    std::unique_ptr<Inspector> inspector() const { return protocol->inspector(store, options, clock); }
    std::unique_ptr<Consumer> consumer(WorkerIdentity who) const
    {
        return protocol->consumer(store, options, clock, std::move(who));
    }
};

/// One subcommand: its options and its work. One file each in commands/.
class Command {
public:
    virtual ~Command() = default;

    /// Declares options and examples; the values are members.
    virtual void define(OptionSet *options) = 0;

    /// Looked at before the store is opened: an error here costs nothing and changes nothing.
    virtual Result<void> check(const Paths &paths)
    {
        Q_UNUSED(paths)
        return {};
    }
    /// Whether it makes sense on a store that dies with this process.
    virtual bool worksInMemory() const { return false; }
    /// Whether it looks at the store's files instead of opening it.
    virtual bool opensStore() const { return true; }
    /// Whether it makes sense where nothing may be changed.
    virtual bool worksReadOnly() const { return true; }
    /// Whether it waits for a store that cannot be reached now, instead of failing.
    virtual bool waitsForStore() const { return false; }

    /// The work; returns the exit code, or throws StoreError. `context` outlives it.
    virtual QCoro::Task<int> run(Context *context) = 0;
};

} // namespace ym::cli
