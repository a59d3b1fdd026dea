// What is wrong in a store, or looks so, with its evidence and what to do about it.
#pragma once

#include "core/job/job.h"
#include "core/job/remedy.h"

#include <QList>
#include <QString>

#include <array>

namespace ym {

struct Finding {
    enum class Severity : quint8 {
        Problem, ///< something does not happen, and will not until somebody does something
        Warning, ///< something may be lost, or does not look as it should
        Note, ///< worth knowing
    };
    /// A job that this is about, with its own evidence.
    struct Case {
        QByteArray job;
        QString text;
        Remedy remedy{};
        bool operator==(const Case &) const = default;
    };

    QByteArray rule; ///< stable word: of JobStanding, or one of doctor.h
    Severity severity = Severity::Warning;
    QString text; ///< what is the case
    QString advice; ///< what a person can do; may be empty
    QByteArray key{}; ///< of the queue or the presence that it is about; may be empty
    Remedy remedy{}; ///< for all of it, as far as its cases are named
    QList<Case> cases{}; ///< the first ones
    qint64 count = 0; ///< all of them

    bool operator==(const Finding &) const = default;
};

/// What was found in a store, and how much was looked at.
struct Examination {
    QList<Finding> findings; ///< the worst first
    std::array<qint64, jobStateCount> jobs{}; ///< how many are in each state
    qint64 queueCount = 0;
    qint64 workerCount = 0;

    qint64 jobCount() const;
    qint64 countOf(Finding::Severity severity) const;
    bool hasProblems() const { return countOf(Finding::Severity::Problem) > 0; }
};

/// "problem", "warning", "note".
const char *severityName(Finding::Severity severity);

} // namespace ym
