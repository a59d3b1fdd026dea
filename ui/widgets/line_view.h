// Read-only lines of text, however many: only those on screen are laid out and painted.
#pragma once

#include "models/fixed_lines.h"

#include <QAbstractScrollArea>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <map>

namespace ym {

/// A place in the text: a line and an index into its QString.
struct TextPlace {
    qint64 line = 0;
    qsizetype index = 0;
    auto operator<=>(const TextPlace &) const = default;
};

/// Plain text in cells of a monospaced font, as a terminal has them. Follows its end while asked to and while the person
/// is not somewhere else. Mouse and keyboard select and copy; nothing can be changed. GUI thread.
class LineView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    /// Where a line is to be marked: pairs of start and length.
    using Marks = std::vector<std::pair<qsizetype, qsizetype>>;

    explicit LineView(QWidget *parent = nullptr);

    /// Shows these lines and follows them; null = none. They may end first.
    void showLines(TextLines *lines);
    TextLines *lines() const { return m_lines; }
    /// Replaces everything by a text of its own: data, every control character shown.
    void setBytes(const QByteArray &bytes);
    /// Likewise with colours: output.
    void setOutput(const QByteArray &bytes);

    qint64 lineCount() const { return m_lines ? m_lines->lineCount() : 0; }
    void setFollowing(bool on);
    /// Asked to, and not scrolled away.
    bool isFollowing() const { return m_isFollowing && !m_isAway; }
    void setWrapping(bool on);
    /// Marks what `marks` finds in each line on screen; null = nothing.
    void setMarks(std::function<Marks(const QString &)> marks);

    /// Scrolls so that it is seen, and selects it.
    void select(TextPlace from, TextPlace to);
    void goToLine(qint64 line);
    qint64 firstVisibleLine() const;
    TextPlace cursor() const { return m_cursor; }
    bool hasSelection() const { return m_anchor != m_cursor; }
    /// At most 200,000 lines.
    QString selectedText() const;
    void selectAll();
    void copy();

    /// Everything, or the first 200,000 lines.
    QString toPlainText() const;
    QString textOnScreen() const;
    /// The colour of a character on screen.
    QColor colourAt(TextPlace place) const;
    /// The height that the first lines need, with the frame: as many rows as they take now, at most `rows`.
    int heightOfRows(int rows) const;

Q_SIGNALS:
    /// The person scrolled away from the end, or back to it.
    void followingChanged(bool isFollowing);
    /// More was selected than a clipboard should hold.
    void copyWasCut(qint64 lines);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    /// A line as it is laid out.
    struct Cells {
        StyledText styled;
        std::vector<int> columns; ///< of each index, and one behind the last; empty: each character has one cell
        int width = 0; ///< in cells
        int column(qsizetype index) const;
        qsizetype indexAt(int column) const;
    };
    const Cells &cells(qint64 line) const;
    static Cells layOut(StyledText text);
    void paintLine(QPainter &painter, qint64 line, int top);
    void paintCells(QPainter &painter, const Cells &cells, std::pair<int, int> columns, QPoint at);
    void paintPiece(QPainter &painter, const QString &piece, const Cells &cells, qsizetype start, QPointF at);
    void fillCells(QPainter &painter, std::pair<int, int> span, const QColor &colour, qint64 line, int top);
    QColor plainColour(StyledText::Kind kind) const;

    void onRestarted();
    void onDropped(qint64 first, qint64 count);
    void onPrepended(qint64 count);
    void lookAgain();
    void updateMetrics();
    void updateScrollBars();
    void keepEnd();
    void noteScrolled();

    int visibleRows() const;
    int columnsPerRow() const; ///< 0: no wrapping
    int rowsOf(qint64 line) const;
    TextPlace placeAt(QPoint point) const;
    void moveCursor(TextPlace place, bool extends);
    void ensureVisible(TextPlace place);
    std::pair<TextPlace, TextPlace> selection() const;
    std::pair<TextPlace, TextPlace> wordAt(TextPlace place) const;
    TextPlace end() const;
    QString textOf(TextPlace from, TextPlace to) const;

    QPointer<TextLines> m_lines;
    FixedLines m_own;
    std::function<Marks(const QString &)> m_marks;
    TextPlace m_anchor;
    TextPlace m_cursor;
    QTimer m_autoScroll;
    QPoint m_dragPoint;
    QPoint m_lastDouble;
    qint64 m_lastDoubleAt = 0;
    double m_charWidth = 8;
    int m_lineHeight = 16;
    int m_ascent = 12;
    int m_widest = 0; ///< cells, of the lines that have been seen
    bool m_isWrapping = false;
    bool m_isFollowing = true;
    bool m_isAway = false;
    bool m_isAdjusting = false; ///< it is we who scroll
    mutable std::map<qint64, Cells> m_cells; ///< of lines on screen
};

} // namespace ym
