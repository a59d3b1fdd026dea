// The settings of the program.
#pragma once

#include <QDialog>

class QListWidget;
class QStackedWidget;

namespace ym {

class Connections;
class UiSettings;

/// Pages Appearance, Interpreters and Behaviour; every change applies at once. GUI thread.
class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Page : quint8 { Appearance, Interpreters, Behaviour };

    SettingsDialog(Connections *connections, UiSettings *settings, QWidget *parent = nullptr);

    void showPage(Page page);

private:
    void addPage(const QString &title, QWidget *page);
    QWidget *makeAppearance();
    QWidget *makeBehaviour();

    UiSettings *m_settings;
    QListWidget *m_list;
    QStackedWidget *m_pages;
};

} // namespace ym
