// The options that describe a job; shared by run and submit.
#pragma once

#include "app/cli/option_set.h"

#include "core/base/error.h"
#include "core/job/job.h"

namespace ym {
class InterpreterTable;
}

namespace ym::cli {

/// --network, --read and --write: what a job may reach beyond the defaults, or what a worker's jobs may ask for.
struct AccessOptions {
    bool network = false;
    QList<QByteArray> readable;
    QList<QByteArray> writable;

    void define(OptionSet *options);
    /// Usage when a path does not exist; relative ones are taken from the working directory.
    Result<JobAccess> access() const;
};

/// FILE, --type, --env, --timeout, --retries, who asks in which context, the log, the opt-ins, and how they become a draft.
struct DraftOptions {
    QByteArray file;
    QByteArray type;
    QList<QByteArray> env;
    int timeout = 300;
    int retries = 0;
    QByteArray caller;
    QByteArray context;
    QByteArray log;
    AccessOptions access;

    void define(OptionSet *options);
    /// The table knows which ending stands for which type. Reads the script (`-` is standard input) and fills a draft;
    /// Usage, NotFound or TooLarge when it cannot.
    Result<Job> draft(const InterpreterTable &table) const;
    /// The same without the script, and with the type only when --type gives it: for jobs that say the rest themselves.
    Result<Job> defaults() const;
};

/// Who submits: the login name, so that others see whose job it is.
QByteArray callerName();

/// The first thing that is wrong with a draft, as an error of kind Usage.
Result<void> checkDraft(const Job &draft);

} // namespace ym::cli
