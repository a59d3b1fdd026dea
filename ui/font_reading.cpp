#include "ui/font_reading.h"

#include <fontconfig/fontconfig.h>

#include <optional>
#include <utility>

#include <pthread.h>
#include <sched.h>

namespace ym {

namespace {

std::optional<pthread_t> reader;
cpu_set_t allowed; ///< processors of this process

void *read(void *)
{
    ::sched_setaffinity(0, sizeof(allowed), &allowed);
    FcInit();
    return nullptr;
}

} // namespace

/// A kernel may leave a new thread on the processor of the one that made it, where both take turns for some milliseconds
/// while another stands idle: this one begins on another.
void beginReadingFonts()
{
    if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return;
    cpu_set_t others = allowed;
    if (const int here = ::sched_getcpu(); here >= 0)
        CPU_CLR(size_t(here), &others);
    if (CPU_COUNT(&others) == 0)
        return;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    pthread_t thread{};
    if (::pthread_attr_setaffinity_np(&attributes, sizeof(others), &others) == 0
        && ::pthread_create(&thread, &attributes, read, nullptr) == 0)
        reader = thread;
    ::pthread_attr_destroy(&attributes);
}

void finishReadingFonts()
{
    if (const std::optional<pthread_t> thread = std::exchange(reader, std::nullopt))
        ::pthread_join(*thread, nullptr);
}

} // namespace ym
