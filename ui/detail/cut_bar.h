// Says that only the beginning of a large value is shown, and how to get all of it.
#pragma once

#include "core/base/error.h"

#include <QFrame>
#include <QPointer>

class QPushButton;

namespace ym {

class Session;
class TextLabel;

/// Hidden while nothing is cut. What the window can hold is loaded when asked; for more there is a command to copy. GUI
/// thread.
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
    void act();
    void load();

    QPointer<Session> m_session;
    QByteArray m_jobId;
    QByteArray m_field;
    QString m_command; ///< that writes the whole into a file; empty where the window can load it
    TextLabel *m_text;
    QPushButton *m_button;
};

} // namespace ym
