// What a job waits for or who has it, in one sentence, with a button for what can be done about it.
#pragma once

#include "core/engine/job_standing.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ym {

class ConnectionModels;
class TextLabel;

/// Hidden while there is nothing to say. GUI thread.
class StandingRow final : public QWidget {
    Q_OBJECT
public:
    explicit StandingRow(QWidget *parent = nullptr);

    /// From what the window knows of the connection now.
    void show(const Job &job, const ConnectionModels &known);

Q_SIGNALS:
    void remedyWanted(const ym::Remedy &remedy);

private:
    void offer(const Remedy &remedy);

    QLabel *m_icon;
    TextLabel *m_text;
    QPushButton *m_button;
    Remedy m_remedy;
};

} // namespace ym
