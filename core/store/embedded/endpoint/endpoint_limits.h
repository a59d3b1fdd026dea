// What clients of an endpoint may cost.
#pragma once

#include "core/base/clock.h"
#include "core/store/embedded/endpoint/request_parser.h"

namespace ym {

/// Replies that a client does not fetch: over `hard` bytes it is cut at once, over `soft` bytes after `softTime`.
struct OutputLimit {
    qint64 hard = 0;
    qint64 soft = 0;
    Milliseconds softTime{0};
};

struct EndpointLimits {
    int clients = 1000; ///< further ones are turned away; less when the process may open fewer files
    embedded::RequestLimits request;
    OutputLimit replies{256LL * 1024 * 1024, 64LL * 1024 * 1024, Milliseconds{60'000}};
    OutputLimit messages{32LL * 1024 * 1024, 8LL * 1024 * 1024, Milliseconds{60'000}}; ///< of subscribers
    Milliseconds timeToAuthenticate{10'000};
    Milliseconds idle{0}; ///< a client that says nothing for so long is cut; 0 = never
    Milliseconds slice{4}; ///< how long clients are served before the event loop gets its turn
};

} // namespace ym
