// Notes that lie over the window for a while: results of actions, and errors that stay until closed.
#pragma once

#include "ui/workspace.h"

#include <QFrame>
#include <QTimer>

class QPushButton;

namespace ym {

/// One note. Deletes itself when it is over. GUI thread.
class NoticeCard final : public QFrame {
    Q_OBJECT
public:
    NoticeCard(const Notice &notice, QWidget *parent);

    const Notice &notice() const { return m_notice; }
    void withdrawOffer();

Q_SIGNALS:
    void detailsWanted(const ym::Notice &notice);
    void closed();

protected:
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void finish();
    void live();

    Notice m_notice;
    QPushButton *m_offer = nullptr;
    QTimer m_life;
};

/// Keeps the newest notes at the lower right of its parent; the parent needs no layout for it. GUI thread.
class NoticeStack final : public QWidget {
    Q_OBJECT
public:
    static constexpr int mostCards = 3;

    explicit NoticeStack(QWidget *parent);

    void add(const Notice &notice);
    /// Takes the buttons away that do something: it has been done, or is not the last thing any more.
    void withdrawOffers();
    /// The shown ones, oldest first.
    QList<Notice> notices() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    QList<NoticeCard *> m_cards;
};

} // namespace ym
