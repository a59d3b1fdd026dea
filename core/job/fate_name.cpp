#include "core/job/fate_name.h"

#include <array>

namespace ym {

const char *fateName(Execution::Fate fate)
{
    static constexpr std::array names{"finished", "failed", "stopped", "timeout", "abandoned"};
    return names.at(size_t(fate));
}

} // namespace ym
