// A label that never takes its text for markup and never lays out an endless one.
#pragma once

#include <QLabel>

namespace ym {

/// GUI thread.
class TextLabel final : public QLabel {
    Q_OBJECT
public:
    enum class Kind : quint8 { Body, Secondary, Heading, Title, Mono };
    /// Characters that are shown at most (RELIABILITY 8, Huge values).
    static constexpr qsizetype longest = 2048;

    explicit TextLabel(Kind kind, QWidget *parent = nullptr);
    TextLabel(const QString &text, Kind kind, QWidget *parent = nullptr);

    /// Longer texts are cut with an ellipsis.
    void setText(const QString &text);
    /// Through shownText: escaped, on one line.
    void setBytes(const QByteArray &bytes);
    /// Makes one line that ends with … where there is no room; the tooltip has the whole of it.
    void setElided(bool on);
    /// Takes the width that it is given: a word that is longer is cut instead of making everything wider.
    void takeGivenWidth();

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_elided = false;
};

} // namespace ym
