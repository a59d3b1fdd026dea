// One client of an endpoint.
#pragma once

#include "core/store/embedded/client_context.h"
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/endpoint/endpoint_limits.h"
#include "core/store/embedded/endpoint/request_parser.h"
#include "core/store/embedded/executor.h"

namespace ym::embedded {

class ConnectionPool;

/// Reads requests from a socket, runs them in order and keeps the replies until they may go out. Commands behind one
/// that waits or is held back wait, too. Belongs to a ConnectionPool, which alone destroys it, never inside a command.
class Connection final : public ClientLink {
public:
    struct Origin {
        QByteArray peer;
        QByteArray local;
        bool isUnixSocket = false;
        bool needsPassword = false;
    };

    /// Takes over `descriptor`.
    Connection(ConnectionPool *pool, int descriptor, Origin origin);
    ~Connection() override;
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    const ClientContext &client() const { return m_client; }
    qint64 id() const { return m_client.id; }
    bool isClosing() const { return m_isClosing; }

    /// What the poller has seen.
    void onEvents(quint32 events);
    /// Reads and runs what there is until the executor's time is `until`. True when there is more to run.
    bool run(qint64 until);
    /// The same while another client's script holds everything up. Replies go out at once, unless earlier ones still
    /// wait for the log.
    bool runWhileBusy();
    /// Goes on after a pause.
    void resume();

    /// How much output there is, counted since the connection began.
    qint64 outputEnd() const { return m_outBase + m_out.size(); }
    /// Output up to `end` may go out, and goes as far as the peer takes it.
    void release(qint64 end);
    /// Whether a command of it has changed anything since this was asked last.
    bool takeHasChanged() { return std::exchange(m_hasChanged, false); }
    /// The pool's limits have changed.
    void applyLimits();
    /// Cuts it when it has broken a limit that has to do with time.
    void checkTimes(Monotonic now);

    ClientFacts facts() const override;
    ClientHub &hub() override;
    void close(Close when) override;
    void setReplies(Replies replies) override;
    bool hasPassword() const override;
    bool isPassword(const QByteArray &password) const override;
    bool needsPassword() const override { return m_origin.needsPassword; }

private:
    bool isHeld() const { return m_isPaused || m_client.waiting || m_isClosing || m_isLast; }
    bool receive();
    void process(qint64 until);
    void execute();
    void answer(const Reply &reply);
    void reply(const Reply &reply);
    void push(const Reply &reply);
    void breakOff();
    void checkOutput();
    void send();
    void watch(quint32 events);
    const OutputLimit &outputLimit() const;
    qint64 unsentBytes() const { return m_out.size() - m_outSent; }

    ConnectionPool *m_pool;
    int m_descriptor;
    Origin m_origin;
    ClientContext m_client;
    RequestParser m_parser;
    bool m_hasRequest = false; ///< the parser's words are still to be run
    bool m_hasMore = false; ///< the parser may have more without new bytes
    bool m_isPaused = false;
    bool m_isClosing = false; ///< the pool will destroy it
    bool m_isLast = false; ///< to be closed when all replies are out
    bool m_hasChanged = false;
    bool m_isOff = false; ///< CLIENT REPLY OFF
    int m_skip = 0; ///< replies that CLIENT REPLY SKIP swallows
    bool m_isTrustedNow = true; ///< what the parser was told

    QByteArray m_out;
    qint64 m_outBase = 0; ///< bytes that were in m_out before its first
    qsizetype m_outSent = 0; ///< of m_out
    qint64 m_released = 0; ///< absolute, as outputEnd()
    std::optional<Monotonic> m_softSince;

    quint32 m_events = 0;
    Monotonic m_since;
    Monotonic m_lastActive;
};

} // namespace ym::embedded
