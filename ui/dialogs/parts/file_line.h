// A path with a button that chooses it.
#pragma once

#include <QLineEdit>
#include <QWidget>

namespace ym {

/// The button asks through ui/prompts. GUI thread.
class FileLine final : public QWidget {
    Q_OBJECT
public:
    enum class Wants : quint8 { File, Folder };
    FileLine(const char *name, Wants wants, QWidget *parent);

    QString path() const { return m_line->text().trimmed(); }
    void setPath(const QString &path) { m_line->setText(path); }
    QLineEdit *line() const { return m_line; }

Q_SIGNALS:
    void edited();

private:
    void choose();

    Wants m_wants;
    QLineEdit *m_line;
};

} // namespace ym
