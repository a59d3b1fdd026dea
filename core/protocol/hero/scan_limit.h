// An end for walks through the keys.
#pragma once

#include "core/store/store.h"

namespace ym::hero {

/// A SCAN whose cursor never comes back to 0 is given up (RELIABILITY P17). One for each walk.
class ScanLimit {
public:
    static constexpr int keysPerPage = 200; ///< COUNT: a larger one delays others, PING p99 0.7 ms at 200, 13 ms at 10000

    explicit ScanLimit(Store *store)
        : m_store(store)
    {
    }

    void restart();
    /// Call it for each page. Throws Protocol when many times more pages were read than the keys can fill.
    QCoro::Task<void> countPage();

private:
    Store *m_store;
    qint64 m_pages = 0;
    qint64 m_unasked = 0; ///< so many pages need no look at how many keys there are
};

} // namespace ym::hero
