// What is stuck, lost or odd in the store of the connection that is shown, with its evidence and what helps.
#pragma once

#include "core/engine/session.h"

#include <QDialog>
#include <QPointer>

class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace ym {

class EmptyState;
class TextLabel;
class Workspace;

/// Not modal; it follows the window to another connection. Looks when it opens, when asked to, and after a remedy that
/// was applied from here has ended. GUI thread.
class DoctorDialog final : public QDialog {
    Q_OBJECT
public:
    DoctorDialog(Workspace *workspace, QWidget *parent = nullptr);

    /// Looks at everything again.
    void look();

Q_SIGNALS:
    void remedyWanted(const ym::Remedy &remedy);

protected:
    void changeEvent(QEvent *event) override;

private:
    void follow();
    void want(const Remedy &remedy);
    void take(const Result<Examination> &examination);
    void showFindings(const Examination &examination);
    void showSummary(const Examination &examination);

    Workspace *m_workspace;
    QPointer<Session> m_session;
    QMetaObject::Connection m_actions; ///< of the session that is followed
    bool m_isOld = false; ///< something was wanted from here since the last look
    quint64 m_looks = 0; ///< an answer to an older one is dropped
    TextLabel *m_summary;
    QPushButton *m_again;
    QStackedWidget *m_pages;
    QScrollArea *m_area;
    EmptyState *m_empty;
};

} // namespace ym
