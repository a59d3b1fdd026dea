// One finding: how bad it is, what is the case, the jobs that it is about, and a button for what helps.
#pragma once

#include "core/engine/finding.h"

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace ym {

/// GUI thread.
class FindingCard final : public QFrame {
    Q_OBJECT
public:
    /// `mayChange` false: nothing is offered, only said.
    FindingCard(const Finding &finding, bool mayChange, QWidget *parent = nullptr);

Q_SIGNALS:
    void jobWanted(const QByteArray &id);
    void remedyWanted(const ym::Remedy &remedy);

protected:
    void changeEvent(QEvent *event) override;

private:
    void addCases(QVBoxLayout *column);
    void paintIcon();

    Finding m_finding;
    QLabel *m_icon;
};

} // namespace ym
