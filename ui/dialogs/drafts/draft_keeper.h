// Keeps what is written in a window on disk until it is submitted, and brings back what a crash left behind.
#pragma once

#include "ui/dialogs/drafts/draft_store.h"

#include <QObject>
#include <QTimer>

#include <functional>

class QFrame;
class QLabel;
class QWidget;

namespace ym {

class Session;
class UiSettings;

/// The drafts of one window: what is typed is kept half a second later; a draft that was left behind is offered in a bar
/// of the window, not by a box that stands in the way. GUI thread.
class DraftKeeper final : public QObject {
    Q_OBJECT
public:
    /// `parts` says what the window holds now. The window places the bar and the label.
    DraftKeeper(const Session *session, const UiSettings *settings, DraftStore::Kind kind,
                std::function<std::vector<Draft::Part>()> parts, QWidget *window);

    QWidget *offerBar() const;
    /// "Draft kept", or why not.
    QLabel *stateLabel() const { return m_state; }

    /// Whether there is something that is neither submitted nor thrown away.
    bool isModified() const { return m_isModified; }
    /// Something was typed.
    void edited();
    /// What the window holds now can be had again, so closing it needs no question; it is kept like what was typed.
    void setReplaceable() { m_asks = false; }
    /// Whether closing needs a question.
    bool asks() const { return m_asks; }
    /// What the window holds now does not count as typed.
    void clear();
    /// It was submitted: no draft of it stays.
    void discard();
    /// The newest draft of the connection that no window holds is offered.
    void offer();
    /// Keeps at once what was typed in the last half second.
    void keepLast();

    /// Calls `close` when nothing would be lost, else asks whether to keep or discard it.
    void askBeforeClosing(const QString &title, const QString &text, std::function<void()> close);

Q_SIGNALS:
    /// Fill the window with it.
    void recovered(const ym::Draft &draft);
    /// The bar is gone.
    void offerEnded();

private:
    QFrame *makeOffer(QWidget *window);
    void keep();
    void recover();
    void endOffer();
    QString offerText(const Draft &draft) const;

    DraftStore m_store;
    DraftStore::Kind m_kind;
    QString m_profileId;
    std::function<std::vector<Draft::Part>()> m_parts;
    std::unique_ptr<DraftFile> m_file;
    std::unique_ptr<DraftStore::Recovered> m_offer;
    QLabel *m_state;
    QLabel *m_offerText;
    QFrame *m_offerBar;
    QTimer m_timer;
    bool m_isModified = false;
    bool m_asks = false;
};

} // namespace ym
