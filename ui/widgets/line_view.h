// Read-only text of any size and content, laid out in lines that can never be endless.
#pragma once

#include <QPlainTextEdit>
#include <QPointer>

#include <functional>

namespace ym {

class OutputBuffer;

/// Text is plain, escaped, and broken after 4096 characters a line (RELIABILITY 8, Huge values). Follows its end while
/// asked to and while the person has not scrolled away. GUI thread.
class LineView final : public QPlainTextEdit {
    Q_OBJECT
public:
    static constexpr qsizetype longestLine = 4096;

    explicit LineView(QWidget *parent = nullptr);

    /// Replaces everything.
    void setBytes(const QByteArray &bytes);
    void setPlain(const QString &text);
    /// At the end; whole lines or a part of the last one.
    void appendBytes(const QByteArray &bytes);
    /// Shows a buffer and follows it; null = none. The buffer may end first.
    void showBuffer(OutputBuffer *buffer);

    void setFollowing(bool on);
    bool isFollowing() const { return m_isFollowing; }
    void setWrapping(bool on);

protected:
    void changeEvent(QEvent *event) override;

private:
    void forgetLines();
    void reload();
    void insertLines(int first, int count);
    void replaceLines(int first, int last);
    void dropLines(int first, int count);
    QTextCharFormat formatOf(int line) const;
    void keepEnd(const std::function<void()> &change);

    QPointer<OutputBuffer> m_buffer;
    int m_lines = 0; ///< of the buffer that are shown
    bool m_isFollowing = true;
};

/// The text with a line break after every 4096 characters of a longer line.
QString brokenLines(const QString &text);

} // namespace ym
