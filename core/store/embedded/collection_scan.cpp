#include "core/store/embedded/collection_scan.h"

#include <charconv>

namespace ym::embedded {

namespace {

quint64 readCursor(const QByteArray &text)
{
    quint64 cursor = 0;
    const auto [end, error] = std::from_chars(text.constData(), text.constData() + text.size(), cursor);
    if (error != std::errc() || end != text.constData() + text.size())
        throw CommandError("ERR invalid cursor");
    return cursor;
}

} // namespace

ScanRequest readScanRequest(const Call &call, qsizetype cursorIndex)
{
    ScanRequest request;
    request.cursor = readCursor(call.arg(cursorIndex));
    for (qsizetype i = cursorIndex + 1; i < call.argc(); i += 2) {
        if (i + 1 == call.argc())
            throw CommandError(errors::syntax);
        if (call.isOption(i, "COUNT")) {
            request.count = call.integer(i + 1);
            if (request.count < 1)
                throw CommandError(errors::syntax);
        } else if (call.isOption(i, "MATCH")) {
            request.pattern = call.arg(i + 1) == "*" ? std::nullopt : std::optional(call.arg(i + 1));
        } else if (call.isOption(i, "TYPE") && cursorIndex == 1) {
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
