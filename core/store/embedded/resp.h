// RESP2 bytes: commands for the log, replies for an endpoint, and reading commands back.
#pragma once

#include "core/store/command.h"
#include "core/store/reply.h"

#include <QByteArrayView>

namespace ym::embedded {

/// The nil of an array (`*-1`), which is a Nil for everybody but an endpoint.
Reply nilArray();

/// `mark`, a number, CRLF.
void appendHeader(QByteArray &to, char mark, qint64 value);
void appendBulk(QByteArray &to, QByteArrayView bytes);
void appendCommand(QByteArray &to, const QList<QByteArray> &args);
void appendReply(QByteArray &to, const Reply &reply);

/// One step through a file of commands.
struct ReadCommand {
    enum class Outcome : quint8 { Complete, Incomplete, Malformed };
    Outcome outcome = Outcome::Incomplete;
    QList<QByteArray> args;
    qsizetype next = 0; ///< offset behind the command, when complete
};

/// Reads the command (or skips the `#` annotation lines before it) at `offset`. Incomplete means that the bytes end
/// inside it.
ReadCommand readCommand(QByteArrayView bytes, qsizetype offset);

} // namespace ym::embedded
