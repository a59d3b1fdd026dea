// Says that only the beginning of a large value is shown, and loads the rest when asked.
#pragma once

#include "core/base/error.h"

#include <QFrame>
#include <QPointer>

class QPushButton;

namespace ym {

class Session;
class TextLabel;

/// Hidden while nothing is cut. GUI thread.
class CutBar final : public QFrame {
    Q_OBJECT
public:
    explicit CutBar(QWidget *parent = nullptr);

    /// `shownBytes` of `fullBytes` of this field are here.
    void offer(Session *session, const QByteArray &jobId, const QByteArray &field, qint64 shownBytes, qint64 fullBytes);
    void withdraw();

Q_SIGNALS:
    void loaded(const QByteArray &jobId, const QByteArray &field, const QByteArray &bytes);
    void failed(const ym::Error &error);

private:
    void load();

    QPointer<Session> m_session;
    QByteArray m_jobId;
    QByteArray m_field;
    TextLabel *m_text;
    QPushButton *m_button;
};

} // namespace ym
