#include "ui/ui_settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

namespace ym {

namespace {

constexpr std::array themeNames = {"system", "light", "dark"};
constexpr int defaultFontSize = 10;

/// QSettings takes almost anything for an INI file; what has no key = value line but holds NULs is not one.
bool isReadable(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return true;
    return file.open(QIODevice::ReadOnly) && !file.read(1 << 20).contains('\0');
}

/// True when the file was set aside.
bool setAsideIfCorrupt(const QString &path)
{
    const bool isBroken = !isReadable(path) || QSettings(path, QSettings::IniFormat).status() == QSettings::FormatError;
    if (!isBroken || !QFileInfo(path).isFile())
        return false;
    const QString aside = path + QStringLiteral(".corrupt");
    QFile::remove(aside);
    return QFile::rename(path, aside);
}

QString keyOf(const char *group, const QByteArray &name)
{
    return QLatin1String(group) + QLatin1Char('/') + QString::fromUtf8(name);
}

} // namespace

UiSettings::UiSettings(Places places, QObject *parent)
    : QObject(parent)
    , m_places(std::move(places))
    , m_wasCorrupt(setAsideIfCorrupt(m_places.settingsFile))
    , m_file(std::make_unique<QSettings>(m_places.settingsFile, QSettings::IniFormat))
{
}

UiSettings::~UiSettings() = default;

void UiSettings::sync()
{
    m_file->sync();
}

ThemeChoice UiSettings::theme() const
{
    const QByteArray name = m_file->value(QStringLiteral("look/theme")).toString().toUtf8();
    const auto found = std::find(themeNames.begin(), themeNames.end(), name);
    return found == themeNames.end() ? ThemeChoice::System : ThemeChoice(found - themeNames.begin());
}

void UiSettings::setTheme(ThemeChoice theme)
{
    if (theme == this->theme())
        return;
    m_file->setValue(QStringLiteral("look/theme"), QLatin1String(themeNames[size_t(theme)]));
    Q_EMIT themeChanged();
}

int UiSettings::codeFontSize() const
{
    bool isNumber = false;
    const int points = m_file->value(QStringLiteral("look/codeFontSize")).toInt(&isNumber);
    return isNumber && points >= 6 && points <= 48 ? points : defaultFontSize;
}

void UiSettings::setCodeFontSize(int points)
{
    if (points == codeFontSize())
        return;
    m_file->setValue(QStringLiteral("look/codeFontSize"), std::clamp(points, 6, 48));
    Q_EMIT changed();
}

bool UiSettings::flag(const char *key, bool byDefault) const
{
    return m_file->value(QLatin1String(key), byDefault).toBool();
}

void UiSettings::setFlag(const char *key, bool byDefault, bool on)
{
    if (on == flag(key, byDefault))
        return;
    m_file->setValue(QLatin1String(key), on);
    Q_EMIT changed();
}

bool UiSettings::notifiesOfEndedJobs() const
{
    return flag("jobs/notify", true);
}

void UiSettings::setNotifiesOfEndedJobs(bool on)
{
    setFlag("jobs/notify", true, on);
}

bool UiSettings::asksBeforeActions() const
{
    return flag("jobs/ask", true);
}

void UiSettings::setAsksBeforeActions(bool on)
{
    setFlag("jobs/ask", true, on);
}

bool UiSettings::startsLocalWorker() const
{
    return flag("workers/startLocal", true);
}

void UiSettings::setStartsLocalWorker(bool on)
{
    setFlag("workers/startLocal", true, on);
}

bool UiSettings::wrapsOutput() const
{
    return flag("output/wrap", false);
}

void UiSettings::setWrapsOutput(bool on)
{
    setFlag("output/wrap", false, on);
}

bool UiSettings::followsOutput() const
{
    return flag("output/follow", true);
}

void UiSettings::setFollowsOutput(bool on)
{
    setFlag("output/follow", true, on);
}

QString UiSettings::lastConnection() const
{
    return m_file->value(QStringLiteral("last/connection")).toString();
}

void UiSettings::setLastConnection(const QString &profileId)
{
    if (profileId != lastConnection())
        m_file->setValue(QStringLiteral("last/connection"), profileId);
}

QByteArray UiSettings::lastPage() const
{
    return m_file->value(QStringLiteral("last/page"), QStringLiteral("jobs")).toString().toUtf8();
}

void UiSettings::setLastPage(const QByteArray &page)
{
    m_file->setValue(QStringLiteral("last/page"), QString::fromUtf8(page));
}

QByteArray UiSettings::detailTab() const
{
    return m_file->value(QStringLiteral("last/detailTab"), QStringLiteral("overview")).toString().toUtf8();
}

void UiSettings::setDetailTab(const QByteArray &tab)
{
    m_file->setValue(QStringLiteral("last/detailTab"), QString::fromUtf8(tab));
}

QByteArray UiSettings::layout(const QByteArray &name) const
{
    return m_file->value(keyOf("layout", name)).toByteArray();
}

void UiSettings::setLayout(const QByteArray &name, const QByteArray &state)
{
    m_file->setValue(keyOf("layout", name), state);
}

QString UiSettings::text(const QByteArray &name) const
{
    return m_file->value(keyOf("text", name)).toString();
}

void UiSettings::setText(const QByteArray &name, const QString &value)
{
    m_file->setValue(keyOf("text", name), value);
}

} // namespace ym
