#include "core/store/transfer/key_writer.h"

#include <QUuid>

namespace ym::transfer {

namespace {

constexpr qint64 stagingLifeMs = 3'600'000;
// A life of less would be over before the key has its name.
constexpr Milliseconds shortestLife{1'000};

Command rename(WriteMode mode, const QByteArray &from, const QByteArray &to)
{
    return cmd(mode == WriteMode::OnlyMissing ? "RENAMENX" : "RENAME", from, to);
}

Command limitLife(const QByteArray &key, Milliseconds left)
{
    return cmd("PEXPIRE", key, qint64(std::max(left, shortestLife).count()));
}

bool isTaken(const Reply &renamed)
{
    return renamed.type == Reply::Type::Integer && renamed.integer == 0;
}

qint64 sizeOf(const Elements &elements)
{
    qint64 size = 0;
    for (const QByteArray &element : elements)
        size += element.size();
    return size;
}

} // namespace

KeyWriter::KeyWriter(Store *store, Clock *clock)
    : m_store(store)
    , m_clock(clock)
    , m_token(QUuid::createUuid().toByteArray(QUuid::Id128))
{
}

QByteArray KeyWriter::stagingName()
{
    return stagingPrefix.toByteArray() + m_token + ':' + QByteArray::number(++m_nameCount);
}

QCoro::Task<std::vector<WriteOutcome>> KeyWriter::writeAll(std::vector<KeyContent> keys, WriteMode mode)
{
    std::vector<WriteOutcome> outcomes;
    std::vector<KeyContent> batch;
    qint64 size = 0;
    for (KeyContent &key : keys) {
        size += sizeOf(key.elements);
        batch.push_back(std::move(key));
        if (size < sliceBytes)
            continue;
        co_await writeBatch(std::exchange(batch, {}), mode, &outcomes);
        size = 0;
    }
    if (!batch.empty())
        co_await writeBatch(std::move(batch), mode, &outcomes);
    co_return outcomes;
}

QCoro::Task<void> KeyWriter::writeBatch(std::vector<KeyContent> batch, WriteMode mode,
                                        std::vector<WriteOutcome> *outcomes)
{
    std::vector<Command> commands;
    std::vector<std::optional<size_t>> renames; // where in the commands; none = the key has gone
    QList<QByteArray> names;
    const Monotonic now = m_clock->monotonic();
    for (const auto &[info, elements] : batch) {
        const std::optional<Milliseconds> left = info.lifeAt(now);
        names.append(stagingName());
        renames.emplace_back();
        if (elements.isEmpty() || (left && left->count() == 0))
            continue;
        commands.push_back(write(info.type, names.constLast(), elements));
        if (left)
            commands.push_back(limitLife(names.constLast(), *left));
        renames.back() = commands.size();
        commands.push_back(rename(mode, names.constLast(), info.key));
    }
    std::vector<Reply> replies;
    if (!commands.empty())
        replies = co_await m_store->transaction(std::move(commands));
    Command tidy = cmd("UNLINK");
    for (size_t i = 0; i < renames.size(); ++i) {
        if (!renames[i])
            outcomes->push_back(WriteOutcome::Gone);
        else if (!isTaken(replies.at(*renames[i])))
            outcomes->push_back(WriteOutcome::Written);
        else {
            outcomes->push_back(WriteOutcome::Taken);
            tidy.add(names[qsizetype(i)]);
        }
    }
    if (tidy.args.size() > 1)
        co_await m_store->command(tidy);
}

QCoro::Task<WriteOutcome> KeyWriter::copyLarge(KeyInfo key, KeyReader *from, WriteMode mode)
{
    const QByteArray name = stagingName();
    const qint64 count = co_await from->sliceCount(key);
    SliceCursor cursor;
    bool isStarted = false;
    while (!cursor.isAtEnd) {
        const Elements elements = co_await from->slice(key, &cursor, count);
        if (elements.isEmpty())
            continue;
        std::vector<Command> commands;
        commands.push_back(write(key.type, name, elements));
        commands.push_back(cmd("PEXPIRE", name, stagingLifeMs));
        co_await m_store->transaction(std::move(commands));
        isStarted = true;
    }
    const std::optional<Milliseconds> left = key.lifeAt(m_clock->monotonic());
    const bool isOver = left && left->count() == 0;
    if (isStarted && isOver)
        co_await m_store->command(cmd("UNLINK", name));
    if (!isStarted || isOver)
        co_return WriteOutcome::Gone;
    std::vector<Command> commands;
    commands.push_back(left ? limitLife(name, *left) : cmd("PERSIST", name));
    commands.push_back(rename(mode, name, key.key));
    const std::vector<Reply> replies = co_await m_store->transaction(std::move(commands));
    if (!isTaken(replies.at(1)))
        co_return WriteOutcome::Written;
    co_await m_store->command(cmd("UNLINK", name));
    co_return WriteOutcome::Taken;
}

} // namespace ym::transfer
