// A row of colours from which a connection gets its mark.
#pragma once

#include <QWidget>

class QButtonGroup;

namespace ym {

/// Eight colours and "none"; arrow keys move. GUI thread.
class ColourPicker final : public QWidget {
    Q_OBJECT
public:
    explicit ColourPicker(QWidget *parent = nullptr);

    /// "#rrggbb", or empty for none.
    QString colour() const;
    /// A colour that is not offered is offered from now on.
    void setColour(const QString &colour);

Q_SIGNALS:
    void edited();

private:
    void addButton(const QString &colour, const QString &name);

    QButtonGroup *m_buttons;
    QStringList m_colours;
};

} // namespace ym
