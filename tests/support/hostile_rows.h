// What a server may answer that lies, stalls or is something else (RELIABILITY 9, Protocol), for programs as a whole:
// the tool and the window are tried with the same rows.
#pragma once

#include "tests/support/hostile_server.h"

#include <memory>
#include <vector>

namespace ym::test {

struct HostileRow {
    const char *name; ///< "P4 two thousand million elements"
    const char *words; ///< what a person is told; a part of the sentence
    HostileServer::Answer answer;
    void (*prepare)(HostileServer &server) = nullptr;

    std::unique_ptr<HostileServer> start() const
    {
        auto server = std::make_unique<HostileServer>(answer);
        if (prepare)
            prepare(*server);
        return server;
    }
};

inline HostileServer::Answer always(const QByteArray &bytes)
{
    return [bytes](const QList<QByteArray> &) { return std::optional(bytes); };
}

/// P18: two jobs, each of them three times, over two pages.
inline std::optional<QByteArray> repeatingScan(const QList<QByteArray> &command)
{
    const auto bulk = [](const QByteArray &text) { return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n"; };
    const QByteArray both = bulk("hero:job:twin-1") + bulk("hero:job:twin-2");
    const QByteArray &verb = command.constFirst();
    if (verb == "SCAN" && command.contains("hero:job:*"))
        return "*2\r\n" + bulk(command.value(1) == "0" ? "7" : "0") + "*6\r\n" + both + both + both;
    if (verb == "SCAN")
        return "*2\r\n" + bulk("0") + "*0\r\n";
    if (verb == "HMGET") {
        QByteArray values;
        for (qsizetype i = 2; i < command.size(); ++i)
            values += command[i] == "status" ? bulk("finished") : command[i] == "script_type" ? bulk("python") : QByteArray("$-1\r\n");
        return '*' + QByteArray::number(command.size() - 2) + "\r\n" + values;
    }
    return verb == "DBSIZE" ? ":2\r\n" : "*0\r\n";
}

/// D24: of the two jobs of repeatingScan() the second is gone before it is read.
inline std::optional<QByteArray> vanishingScan(const QList<QByteArray> &command)
{
    if (command.constFirst() == "HMGET" && command.value(1) == "hero:job:twin-2")
        return '*' + QByteArray::number(command.size() - 2) + "\r\n" + QByteArray("$-1\r\n").repeated(command.size() - 2);
    return repeatingScan(command);
}

/// P17: a listing whose cursor never comes back to 0.
inline HostileServer::Answer endlessScan()
{
    return [cursor = std::make_shared<int>(0)](const QList<QByteArray> &command) -> std::optional<QByteArray> {
        if (command.constFirst() != "SCAN")
            return command.constFirst() == "DBSIZE" ? ":3\r\n" : "*0\r\n";
        const QByteArray next = QByteArray::number(++*cursor);
        return "*2\r\n$" + QByteArray::number(next.size()) + "\r\n" + next + "\r\n*0\r\n";
    };
}

/// Every row of the catalogue that a program as a whole can meet and that ends its work.
inline std::vector<HostileRow> hostileRows()
{
    const auto silent = [](HostileServer &server) { server.doNotGreet(); };
    return {
        {"P1 a line without its end", "did not answer", always("+OK\n")},
        {"P2 a RESP3 map", "broke the Redis protocol", always("%1\r\n+a\r\n+b\r\n")},
        {"P2 a RESP3 null", "broke the Redis protocol", always("_\r\n")},
        {"P2 a RESP3 push", "broke the Redis protocol", always(">2\r\n+a\r\n+b\r\n")},
        {"P3 a web server", "speaks HTTP", always("HTTP/1.1 400 Bad Request\r\n\r\n"), silent},
        {"P4 two thousand million elements", "broke the Redis protocol", always("*2147483647\r\n")},
        {"P5 a hundred million elements and silence", "a million elements", always("*100000000\r\n")},
        {"P6 the largest bulk there can be", "64 MiB", always("$9223372036854775807\r\n")},
        {"P7 a line without an end", "endless line", always('+' + QByteArray(8 << 20, 'a'))},
        {"P9 nesting of nine", "broke the Redis protocol", always(QByteArray("*1\r\n").repeated(9) + "+x\r\n")},
        {"P10 a number of twenty digits", "broke the Redis protocol", always(":99999999999999999999\r\n")},
        {"P12 cut in the middle of a bulk", "connection", always("$10\r\nabc"), [](HostileServer &server) { server.closeAfterAnswer(); }},
        {"P14 an error of a megabyte with escapes and markup", "<b><U+001B>[31mred",
         always("-ERR <b>\x1b[31mred\x07 " + QByteArray(1 << 20, 'e') + "\r\n")},
        {"P17 a listing without an end", "does not come to an end", endlessScan()},
        {"P23 MOVED", "standalone", always("-MOVED 3999 127.0.0.1:6381\r\n")},
        {"P23 ASK", "standalone", always("-ASK 3999 127.0.0.1:6381\r\n")},
        {"P24 loading for ever", "42.50 %", [](const QList<QByteArray> &command) -> std::optional<QByteArray> {
             if (command.constFirst() == "INFO")
                 return "$38\r\nloading:1\r\nloading_loaded_perc:42.50\r\n\r\n";
             return command.constFirst() == "PING" ? "-LOADING Redis is loading the dataset in memory\r\n" : "+OK\r\n";
         }, silent},
        {"P25 a wrong password", "password", always("-WRONGPASS invalid username-password pair or user is disabled.\r\n"), silent},
        {"P26 a TLS alert", "expects TLS", always(QByteArray("\x15\x03\x01\x00\x02\x02\x46", 7)), silent},
    };
}

} // namespace ym::test
