#include "core/engine/finding.h"

#include <algorithm>
#include <numeric>

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

qint64 Examination::jobCount() const
{
    return std::accumulate(jobs.begin(), jobs.end(), qint64(0));
}

qint64 Examination::countOf(Finding::Severity severity) const
{
    return std::count_if(findings.cbegin(), findings.cend(),
                         [severity](const Finding &finding) { return finding.severity == severity; });
}

} // namespace ym
