// What a page shows instead of an empty table: what is the matter and what to do next.
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace ym {

class TextLabel;

/// GUI thread.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QByteArray icon;
        QString title;
        QString text;
        QString mainButton; ///< empty: none
        QString otherButton; ///< empty: none
        int progress = -2; ///< percent; -1 unknown; -2 no bar
        /// Something is on its way and this will not stay.
        bool isBusy() const { return progress >= -1; }
        bool operator==(const Content &) const = default;
    };

    explicit EmptyState(QWidget *parent = nullptr);

    void show(const Content &content);
    const Content &content() const { return m_content; }

Q_SIGNALS:
    void mainClicked();
    void otherClicked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void paintIcon();

    Content m_content;
    QLabel *m_icon;
    TextLabel *m_title;
    TextLabel *m_text;
    QProgressBar *m_progress;
    QPushButton *m_main;
    QPushButton *m_other;
};

} // namespace ym
