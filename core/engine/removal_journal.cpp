#include "core/engine/removal_journal.h"

#include "core/base/log.h"
#include "core/engine/paths.h"

#include <QCoreApplication>
#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace ym {

namespace {

constexpr quint32 magic = 0x594d524a; // "YMRJ"
constexpr quint32 version = 1;
constexpr auto suffix = ".removed";
constexpr int mostBatches = 50;
constexpr qint64 mostBytes = 512LL << 20;
constexpr qint64 longestMs = 7LL * 86'400 * 1'000;

/// `{ms}` while it is written, `{ms}-{count}` when it is whole.
bool isBatchName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A\\d{1,15}(-\\d{1,9})?\\z"));
    return pattern.match(name).hasMatch(); // and never a path
}

Timestamp whenOf(const QString &name)
{
    return Timestamp(Milliseconds{name.section(u'-', 0, 0).toLongLong()});
}

void prepare(QDataStream &stream)
{
    stream.setVersion(QDataStream::Qt_6_4);
}

qint64 toMs(Timestamp when)
{
    return std::chrono::duration_cast<Milliseconds>(when.time_since_epoch()).count();
}

Error notKept(const QString &why)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("ym::RemovalJournal", text); };
    return {ErrorKind::Io, tr("Nothing was removed here, because it could not be kept for a way back: %1").arg(why),
            tr("Make room there, or set XDG_DATA_HOME to a folder that can be written.")};
}

tl::unexpected<Error> notKept(const QFile &file)
{
    return tl::unexpected(notKept(file.fileName() + QStringLiteral(": ") + file.errorString() + u'.'));
}

/// Reads the records up to the first one that is not whole.
std::vector<RemovedJob> readAll(QFile &file)
{
    QDataStream stream(&file);
    prepare(stream);
    quint32 found = 0;
    quint32 foundVersion = 0;
    stream >> found >> foundVersion;
    std::vector<RemovedJob> jobs;
    while (found == magic && foundVersion == version && !stream.atEnd()) {
        RemovedJob job;
        stream >> job.id >> job.fields;
        if (stream.status() != QDataStream::Ok)
            break;
        jobs.push_back(std::move(job));
    }
    return jobs;
}

} // namespace

RemovalJournal::RemovalJournal(QString folder, Clock *clock)
    : m_folder(std::move(folder))
    , m_clock(clock)
{
}

QString RemovalJournal::pathOf(const QString &name) const
{
    return m_folder + u'/' + name + QLatin1String(suffix);
}

/// By a batch that is written, or by one that is whole and has its count behind the time.
bool RemovalJournal::isTaken(const QString &stamp) const
{
    return QFile::exists(pathOf(stamp)) || !QDir(m_folder).entryList({stamp + QStringLiteral("-*")}).isEmpty();
}

Result<std::unique_ptr<RemovalJournal::Batch>> RemovalJournal::begin()
{
    if (m_folder.isEmpty())
        return nullptr;
    if (const Result<void> isThere = ensureFolder(m_folder); !isThere)
        return tl::unexpected(notKept(isThere.error().message));
    prune();
    qint64 stamp = toMs(m_clock->now());
    while (isTaken(QString::number(stamp)))
        ++stamp;
    std::unique_ptr<Batch> batch(new Batch(pathOf(QString::number(stamp))));
    if (batch->m_file.isOpen())
        return batch;
    return notKept(batch->m_file);
}

RemovalJournal::Batch::Batch(const QString &path)
    : m_file(path)
{
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return;
    m_file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    QDataStream stream(&m_file);
    prepare(stream);
    stream << magic << version;
}

RemovalJournal::Batch::~Batch()
{
    close();
}

Result<void> RemovalJournal::Batch::add(const RemovedJob &job)
{
    const qint64 end = m_file.pos();
    QDataStream stream(&m_file);
    prepare(stream);
    stream << job.id << job.fields;
    if (stream.status() == QDataStream::Ok && m_file.flush()) {
        ++m_entry.count;
        return {};
    }
    const auto trouble = notKept(m_file);
    m_file.resize(end); // a torn record would hide the next ones
    m_file.seek(end);
    return trouble;
}

RemovalJournal::Entry RemovalJournal::Batch::close()
{
    if (!m_file.isOpen())
        return m_entry;
    m_file.close();
    if (m_entry.count == 0) {
        m_file.remove();
        return m_entry;
    }
    const QFileInfo file(m_file.fileName());
    m_entry.name = file.completeBaseName() + u'-' + QString::number(m_entry.count);
    m_entry.when = whenOf(m_entry.name);
    if (!m_file.rename(file.path() + u'/' + m_entry.name + QLatin1String(suffix)))
        m_entry.name = file.completeBaseName(); // it can be read by this name too
    return m_entry;
}

QList<RemovalJournal::Entry> RemovalJournal::entries() const
{
    QList<Entry> list;
    if (m_folder.isEmpty())
        return list;
    const QStringList names =
        QDir(m_folder).entryList({QLatin1Char('*') + QLatin1String(suffix)}, QDir::Files, QDir::Name | QDir::Reversed);
    for (const QString &fileName : names) {
        Entry entry;
        entry.name = fileName.chopped(qsizetype(qstrlen(suffix)));
        if (!isBatchName(entry.name))
            continue;
        entry.when = whenOf(entry.name);
        entry.count = entry.name.section(u'-', 1, 1).toInt();
        QFile file(m_folder + u'/' + fileName);
        if (entry.count == 0 && file.open(QIODevice::ReadOnly)) // it was not ended: count what is whole
            entry.count = int(readAll(file).size());
        if (entry.count > 0)
            list.append(entry);
    }
    return list;
}

Result<std::vector<RemovedJob>> RemovalJournal::read(const QString &name) const
{
    QFile file(pathOf(name));
    if (m_folder.isEmpty() || !isBatchName(name) || !file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::NotFound,
                       QCoreApplication::translate("ym::RemovalJournal", "Nothing is kept of this removal any more."));
    return readAll(file);
}

void RemovalJournal::forget(const QString &name)
{
    if (isBatchName(name) && !m_folder.isEmpty())
        QFile::remove(pathOf(name));
}

void RemovalJournal::prune() const
{
    const QFileInfoList files = QDir(m_folder).entryInfoList({QLatin1Char('*') + QLatin1String(suffix)}, QDir::Files,
                                                             QDir::Name | QDir::Reversed);
    const qint64 oldest = toMs(m_clock->now()) - longestMs;
    qint64 bytes = 0;
    int kept = 0;
    for (const QFileInfo &file : files) {
        bytes += file.size();
        if (++kept >= mostBatches || bytes > mostBytes || toMs(whenOf(file.completeBaseName())) < oldest)
            QFile::remove(file.filePath());
    }
}

} // namespace ym
