#include "core/store/embedded/collection_scan.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace ym::embedded {

quint64 readCursor(const Call &call, qsizetype index)
{
    const QByteArray &text = call.arg(index);
    // What strtoul takes is a cursor: also nothing at all, and signs.
    char *end = nullptr;
    errno = 0;
    const quint64 cursor = std::strtoull(text.constData(), &end, 10);
    if (std::isspace(uchar(text.isEmpty() ? '0' : text[0])) || *end != '\0' || errno == ERANGE)
        throw CommandError("ERR invalid cursor");
    return cursor;
}

ScanRequest readScanOptions(const Call &call, qsizetype from, quint64 cursor)
{
    ScanRequest request;
    request.cursor = cursor;
    for (qsizetype i = from; i < call.argc(); i += 2) {
        if (i + 1 == call.argc())
            throw CommandError(errors::syntax);
        if (call.isOption(i, "COUNT")) {
            request.count = call.integer(i + 1);
            if (request.count < 1)
                throw CommandError(errors::syntax);
        } else if (call.isOption(i, "MATCH")) {
            request.pattern = call.arg(i + 1) == "*" ? std::nullopt : std::optional(call.arg(i + 1));
        } else if (call.isOption(i, "TYPE") && from == 2) {
            request.type = call.arg(i + 1).toLower();
        } else {
            throw CommandError(errors::syntax);
        }
    }
    return request;
}

Reply scanReply(quint64 cursor, std::vector<Reply> elements)
{
    return Reply::array({Reply::bulk(QByteArray::number(cursor)), Reply::array(std::move(elements))});
}

} // namespace ym::embedded
