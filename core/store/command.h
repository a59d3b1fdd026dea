// Commands are argument vectors, never formatted strings.
#pragma once

#include <QByteArray>
#include <QList>

#include <string_view>

namespace ym {

/// One command: verb and arguments, bytes.
/// Build it with `cmd("HSET", key, "status", "started")`; numbers are written in decimal. There is no
/// initializer-list form on purpose: GCC 12 destroys such temporaries twice inside a co_await expression.
struct Command {
    QList<QByteArray> args;

    const QByteArray &verb() const { return args.constFirst(); }

    Command &add(QByteArray value) { args.append(std::move(value)); return *this; }
    Command &add(const char *value) { args.append(QByteArray(value)); return *this; }
    Command &add(qint64 value) { args.append(QByteArray::number(value)); return *this; }
    Command &add(int value) { args.append(QByteArray::number(value)); return *this; }
    Command &addAll(const QList<QByteArray> &values) { args.append(values); return *this; }

    bool operator==(const Command &) const = default;
};

template<typename... Args>
Command cmd(const char *verb, Args &&...args)
{
    Command command;
    command.args.reserve(1 + qsizetype(sizeof...(args)));
    command.add(verb);
    (command.add(std::forward<Args>(args)), ...);
    return command;
}

} // namespace ym
