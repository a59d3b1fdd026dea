// The middle of the window; a connection to production gets a red line around it.
#pragma once

#include <QWidget>

namespace ym {

/// Holds one widget. GUI thread.
class FramedArea final : public QWidget {
    Q_OBJECT
public:
    FramedArea(QWidget *content, QWidget *parent);

    void setProduction(bool on);
    bool isProduction() const { return m_isProduction; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_isProduction = false;
};

} // namespace ym
