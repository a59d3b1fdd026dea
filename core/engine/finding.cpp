#include "core/engine/finding.h"

namespace ym {

const char *severityName(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Problem:
        return "problem";
    case Finding::Severity::Warning:
        return "warning";
    case Finding::Severity::Note:
        break;
    }
    return "note";
}

} // namespace ym
