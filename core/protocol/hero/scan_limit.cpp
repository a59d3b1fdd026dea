#include "core/protocol/hero/scan_limit.h"

#include <QCoreApplication>

namespace ym::hero {

namespace {

/// A table that has shrunk has many empty places, and one page visits at most ten times as many as it was asked for.
constexpr qint64 pagesOfAnEmptyTable = 10'000;
constexpr qint64 slack = 16; ///< while a table grows, keys are seen twice

} // namespace

void ScanLimit::restart()
{
    m_pages = 0;
    m_unasked = pagesOfAnEmptyTable;
}

QCoro::Task<void> ScanLimit::countPage()
{
    if (m_unasked == 0)
        restart();
    if (++m_pages <= m_unasked)
        co_return;
    const Reply size = co_await m_store->command(cmd("DBSIZE"));
    const qint64 most = pagesOfAnEmptyTable + slack * std::max<qint64>(size.toInteger(), 0) / keysPerPage;
    if (m_pages > most)
        throw StoreError(ErrorKind::Protocol,
                         QCoreApplication::translate("ym::HeroInspector", "The server's SCAN does not come to an end."),
                         QCoreApplication::translate("ym::HeroInspector", "Look at what stands between it and you."));
    m_unasked = most;
}

} // namespace ym::hero
