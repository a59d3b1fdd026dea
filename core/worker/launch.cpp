#include "core/worker/launch.h"

#include "core/worker/launcher/wire.h"

#include <QFile>
#include <QProcess>
#include <QtEndian>

namespace ym {

namespace {

using launch::FromLauncher;
using launch::ToLauncher;

void add(QByteArray &bytes, ToLauncher kind, const QByteArray &payload = {})
{
    char header[launch::headerSize]{char(kind)};
    qToLittleEndian(quint32(payload.size()), header + 1);
    bytes.append(header, sizeof header).append(payload);
}

void addAll(QByteArray &bytes, ToLauncher kind, const QList<QByteArray> &payloads)
{
    for (const QByteArray &payload : payloads)
        add(bytes, kind, payload);
}

void addNamed(QByteArray &bytes, ToLauncher kind, const QByteArray &payload)
{
    if (!payload.isEmpty())
        add(bytes, kind, payload);
}

QByteArray settings(const LaunchOrder &order)
{
    QByteArray bytes;
    bytes.reserve(1024);
    addAll(bytes, ToLauncher::Argument, order.command);
    addAll(bytes, ToLauncher::Variable, order.variables);
    add(bytes, ToLauncher::Folder, order.folder);
    if (order.removesFolder)
        add(bytes, ToLauncher::Remove, order.folder);
    for (const auto &[name, content] : order.files) {
        add(bytes, ToLauncher::File, name);
        for (qsizetype at = 0; at < content.size(); at += qsizetype(launch::maxPayload))
            add(bytes, ToLauncher::Data, content.mid(at, qsizetype(launch::maxPayload)));
    }
    addNamed(bytes, ToLauncher::Input, order.input);
    addNamed(bytes, ToLauncher::Confine, order.confine);
    if (order.hasNetwork)
        add(bytes, ToLauncher::Network);
    if (order.isWarm)
        add(bytes, ToLauncher::Warm);
    addNamed(bytes, ToLauncher::Script, order.script);
    addNamed(bytes, ToLauncher::Import, order.imports.join(','));
    addAll(bytes, ToLauncher::Limit, order.limits);
    addAll(bytes, ToLauncher::Readable, order.readable);
    addAll(bytes, ToLauncher::Writable, order.writable);
    add(bytes, ToLauncher::Niceness, QByteArray::number(order.niceness));
    add(bytes, ToLauncher::Go);
    return bytes;
}

QByteArray order(ToLauncher kind)
{
    QByteArray bytes;
    add(bytes, kind);
    return bytes;
}

std::optional<LaunchEnd::How> howFrom(const QByteArray &word)
{
    if (word == launch::howExit)
        return LaunchEnd::How::Exit;
    if (word == launch::howSignal)
        return LaunchEnd::How::Signal;
    if (word == launch::howNotStarted)
        return LaunchEnd::How::NotStarted;
    return std::nullopt;
}

} // namespace

Launch::Launch(Output output)
    : m_process(new QProcess)
    , m_output(std::move(output))
{
    connect(m_process, &QProcess::readyReadStandardOutput, this, &Launch::read);
    connect(m_process, &QProcess::finished, this, &Launch::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish();
    });
}

Launch::~Launch()
{
    // It may be this process object that is calling us.
    m_process->disconnect(this);
    m_process->closeWriteChannel();
    if (m_process->state() == QProcess::NotRunning)
        m_process->deleteLater();
    else // it ends by itself now
        connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
}

void Launch::start(const LaunchOrder &order)
{
    QProcessEnvironment nothing;
    nothing.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
    m_process->setProcessEnvironment(nothing);
    m_process->setProgram(order.launcher);
    if (!order.wrapper.isEmpty()) {
        QStringList arguments{QString::fromLatin1(launch::guardWord)};
        for (const QByteArray &word : order.wrapper)
            arguments.append(QFile::decodeName(word));
        m_process->setArguments(arguments);
    }
    m_process->start();
    m_processId = m_process->processId();
    m_process->write(settings(order));
    m_isWarm = order.isWarm;
}

void Launch::runNext(const LaunchOrder &job, Output output)
{
    m_output = std::move(output);
    m_ended = Completion<LaunchEnd>();
    m_over.clear();
    m_mayRunAgain = false;
    ++m_runCount;
    LaunchOrder order;
    order.folder = job.folder;
    order.variables = job.variables;
    order.files = job.files;
    order.script = job.script;
    for (const QByteArray &name : job.imports) {
        if (!m_imported.contains(name))
            order.imports.append(name);
        m_imported.insert(name);
    }
    order.limits = job.limits;
    order.niceness = job.niceness;
    m_process->write(settings(order));
    if (m_isOver)
        finish();
}

void Launch::terminate()
{
    m_process->write(order(ToLauncher::Terminate));
}

void Launch::kill()
{
    m_process->write(order(ToLauncher::Kill));
}

/// Takes the whole frames out and passes on neighbours of one stream as one chunk.
void Launch::read()
{
    m_buffer += m_process->readAllStandardOutput();
    QByteArray gathered;
    auto gatheredKind = FromLauncher::Out;
    const auto flush = [&] {
        if (!gathered.isEmpty() && m_output)
            m_output(gatheredKind == FromLauncher::Out ? OutputChunk::Stream::Out : OutputChunk::Stream::Err,
                     std::exchange(gathered, {}));
    };
    qsizetype at = 0;
    while (m_buffer.size() - at >= qsizetype(launch::headerSize)) {
        const auto kind = FromLauncher(m_buffer[at]);
        const qsizetype length = qFromLittleEndian<quint32>(m_buffer.constData() + at + 1);
        if (m_buffer.size() - at - qsizetype(launch::headerSize) < length)
            break;
        const QByteArray payload = m_buffer.mid(at + qsizetype(launch::headerSize), length);
        at += qsizetype(launch::headerSize) + length;
        if (kind == FromLauncher::Over) {
            m_over = payload;
            continue;
        }
        if (kind != gatheredKind)
            flush();
        gatheredKind = kind;
        gathered += payload;
    }
    m_buffer.remove(0, at);
    flush();
    if (m_isWarm && !m_over.isEmpty() && !m_ended.isDone()) {
        const LaunchEnd end = endOfJob();
        m_mayRunAgain = end.mayRunAgain;
        // Whoever waits may run the next job at once, or delete this.
        const Completion<LaunchEnd> ended = m_ended;
        ended.resolve(end);
    }
}

LaunchEnd Launch::endOfJob() const
{
    const QList<QByteArray> words = m_over.trimmed().split(' ');
    const auto how = howFrom(words.constFirst());
    LaunchEnd end;
    if (!how || words.size() != 8)
        return end;
    end.how = *how;
    end.code = words[1].toInt();
    end.cpuTime = Milliseconds{words[2].toLongLong()};
    end.maxRssKb = words[3].toLongLong();
    end.leftProcesses = words[4].toInt();
    end.isStuck = words[5] != "0";
    end.passedLimit = words[6] == "-" ? QByteArray() : words[6];
    end.mayRunAgain = words[7] == "1";
    return end;
}

/// The launcher has ended.
void Launch::finish()
{
    m_isOver = true;
    read();
    LaunchEnd end = endOfJob();
    if (end.how == LaunchEnd::How::LauncherFailed) {
        const QByteArray complaint = m_process->readAllStandardError().left(500).trimmed();
        end.complaint = complaint.isEmpty() ? m_process->errorString() : QString::fromUtf8(complaint);
    }
    m_ended.resolve(end);
}

} // namespace ym
