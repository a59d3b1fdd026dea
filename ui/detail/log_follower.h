// Keeps the lines of a log up to date with the job's file while somebody looks at them.
#pragma once

#include "models/log_lines.h"

#include <QPointer>
#include <QTimer>

namespace ym {

/// Looks at the file ten times a second, and once a second whether its name means another file by now. GUI thread.
class LogFollower final : public QObject {
    Q_OBJECT
public:
    LogFollower(LogLines *lines, QObject *parent);

    /// Reads the job's log from now on; what was read of it before stays.
    void follow(Session *session, const QByteArray &jobId);
    /// Looks no more; what was read stays.
    void stop() { m_poll.stop(); }
    /// Looks no more, and nothing stays.
    void clear();

Q_SIGNALS:
    void opened();
    /// There is nothing to show.
    void failed(const ym::Error &why);

private:
    void look();
    void open();
    void take(const Result<OpenLog> &log);

    LogLines *m_lines;
    QPointer<Session> m_session;
    QByteArray m_jobId;
    bool m_isOpening = false;
    int m_looks = 0;
    QTimer m_poll;
};

} // namespace ym
