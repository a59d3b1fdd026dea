// What the style draws by itself, with our icons.
#pragma once

#include <QProxyStyle>

namespace ym {

/// Fusion, whose own icons are black pictures on any background; reading the first of them loads every image plugin of
/// the system, which takes longer than painting a window.
class WindowStyle final : public QProxyStyle {
    Q_OBJECT
public:
    WindowStyle();

    QIcon standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint which, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *answer) const override;
};

} // namespace ym
