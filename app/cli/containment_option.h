// --containment: how far jobs must be kept away from this machine.
#pragma once

#include "app/cli/console.h"
#include "app/cli/option_set.h"

#include "core/base/error.h"
#include "core/job/containment.h"
#include "core/job/interpreter.h"

namespace ym::cli {

/// The level as a word; saying `limits` is the consent to it.
struct ContainmentOption {
    QByteArray word = "bubblewrap";

    void define(OptionSet *options);
    /// Usage for a word that is no level.
    Result<void> check() const;
    ContainmentLevel best() const;
    bool isConsent() const { return best() == ContainmentLevel::LimitsOnly; }
};

/// What was found out about this machine, what a job of this type may reach and how much it may use.
void printContainment(Console *console, const Containment &found, const Interpreter &row, const RunGrant &grant);

} // namespace ym::cli
