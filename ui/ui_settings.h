// What the window remembers between two starts, typed.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>

class QSettings;

namespace ym {

enum class ThemeChoice : quint8 { System, Light, Dark };

/// Settings of the window in one INI file; never a secret (RELIABILITY 6.6). A file that cannot be read is set aside as
/// .corrupt and the defaults are used; a value of the wrong type or out of range counts as its default. GUI thread.
class UiSettings final : public QObject {
    Q_OBJECT
public:
    /// Where things are: the INI file, and the folder for drafts (made when the first draft is kept).
    struct Places {
        QString settingsFile;
        QString draftsFolder;
    };
    explicit UiSettings(Places places, QObject *parent = nullptr);
    ~UiSettings() override;

    /// True when an unreadable file was set aside at the start.
    bool wasCorrupt() const { return m_wasCorrupt; }
    QString draftsFolder() const { return m_places.draftsFolder; }
    /// Writes now what is written a moment later anyway.
    void sync();

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    /// Points of the script editor and of output, 6 … 48; default 10.
    int codeFontSize() const;
    void setCodeFontSize(int points);
    bool notifiesOfEndedJobs() const; ///< default true
    void setNotifiesOfEndedJobs(bool on);
    /// Whether stopping and removing ask first; a production connection asks always. Default true.
    bool asksBeforeActions() const;
    void setAsksBeforeActions(bool on);
    bool startsLocalWorker() const; ///< with the Local workspace; default true
    void setStartsLocalWorker(bool on);
    bool wrapsOutput() const; ///< default false
    void setWrapsOutput(bool on);
    bool followsOutput() const; ///< default true
    void setFollowsOutput(bool on);

    QString lastConnection() const;
    void setLastConnection(const QString &profileId);
    /// Name of the page: "jobs", "queues", "workers"; default "jobs".
    QByteArray lastPage() const;
    void setLastPage(const QByteArray &page);
    /// Name of the detail's tab; default "overview".
    QByteArray detailTab() const;
    void setDetailTab(const QByteArray &tab);

    /// Geometry, splitter or header states under names such as "window/geometry", "jobs/header", "compose/splitter".
    QByteArray layout(const QByteArray &name) const;
    void setLayout(const QByteArray &name, const QByteArray &state);

    /// Small choices of one dialog under names such as "compose/lastType".
    QString text(const QByteArray &name) const;
    void setText(const QByteArray &name, const QString &value);

Q_SIGNALS:
    void themeChanged();
    /// Any of the code font, wrapping or notification settings.
    void changed();

private:
    bool flag(const char *key, bool byDefault) const;
    void setFlag(const char *key, bool byDefault, bool on);

    Places m_places;
    bool m_wasCorrupt = false;
    std::unique_ptr<QSettings> m_file;
};

} // namespace ym
