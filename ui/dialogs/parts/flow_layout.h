// Puts widgets side by side and goes on in the next line when a line is full.
#pragma once

#include <QLayout>
#include <QList>

namespace ym {

/// For chips. Items keep their size hint. GUI thread.
class FlowLayout final : public QLayout {
public:
    explicit FlowLayout(int gap, QWidget *parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override { m_items.append(item); }
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), Apply::No); }
    void setGeometry(const QRect &rect) override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;

private:
    enum class Apply : quint8 { No, Yes };
    int place(const QRect &rect, Apply apply) const;

    QList<QLayoutItem *> m_items;
    int m_gap;
};

} // namespace ym
