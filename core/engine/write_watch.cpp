#include "core/engine/write_watch.h"

#include <QCoreApplication>

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds pause = 5s;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::WriteWatch", text);
}

} // namespace

QString writeTrouble(const QByteArray &persistence)
{
    if (persistence.contains("aof_last_write_status:err"))
        return say(QT_TRANSLATE_NOOP("ym::WriteWatch",
                                     "The server cannot write its append-only file and refuses changes: its disk may be "
                                     "full. It goes on by itself when there is space."));
    if (persistence.contains("rdb_last_bgsave_status:err"))
        return say(QT_TRANSLATE_NOOP("ym::WriteWatch",
                                     "The server's last snapshot failed, and it may refuse changes: its disk may be full. "
                                     "It goes on when a snapshot has succeeded."));
    return {};
}

QCoro::Task<void> WriteWatch::look()
{
    const Monotonic now = m_clock->monotonic();
    if (m_askedAt && now - *m_askedAt < pause)
        co_return;
    m_askedAt = now;
    const std::vector<Command> ask{cmd("INFO", "persistence")};
    const std::vector<Reply> answers = co_await m_store->pipeline(ask);
    const Reply &answer = answers.front();
    m_trouble = answer.type == Reply::Type::Bulk ? writeTrouble(answer.string) : QString();
}

} // namespace ym
