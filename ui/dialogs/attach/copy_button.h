// A button that copies a text and says that it has.
#pragma once

#include <QPushButton>

#include <functional>

namespace ym {

/// GUI thread.
class CopyButton final : public QPushButton {
    Q_OBJECT
public:
    /// `text` is asked when the button is pressed.
    CopyButton(std::function<QString()> text, QWidget *parent);

private:
    void copy();

    std::function<QString()> m_text;
};

} // namespace ym
