// A splitter whose two parts stand beside each other where it is wide, and below each other where it is not.
#pragma once

#include <QSplitter>

namespace ym {

/// GUI thread.
class ShapeSplitter final : public QSplitter {
    Q_OBJECT
public:
    explicit ShapeSplitter(QWidget *parent);

protected:
    void resizeEvent(QResizeEvent *event) override;
};

} // namespace ym
