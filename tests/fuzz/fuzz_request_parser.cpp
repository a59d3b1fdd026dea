// libFuzzer: the endpoint's request parser. The first byte says how the rest is cut; the result must not depend on it.
#include "core/store/embedded/endpoint/request_parser.h"

#include <cstdlib>

using namespace ym::embedded;

namespace {

/// Requests and error as one text, to compare.
QByteArray told(QByteArrayView bytes, qsizetype size)
{
    RequestParser parser;
    parser.setLimits({4096, 16384, bytes.size() % 2 == 0});
    QByteArray all;
    for (qsizetype at = 0; at < bytes.size(); at += size) {
        const QByteArray piece = bytes.sliced(at, std::min(size, bytes.size() - at)).toByteArray();
        parser.feed(piece);
        auto outcome = RequestParser::Outcome::Complete;
        while ((outcome = parser.next()) == RequestParser::Outcome::Complete) {
            all += '*' + QByteArray::number(parser.words().size());
            for (const QByteArray &word : parser.words())
                all += '$' + QByteArray::number(word.size()) + word;
        }
        parser.park();
        if (outcome == RequestParser::Outcome::Broken)
            return all + '-' + parser.error();
    }
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const QByteArrayView bytes(data + 1, qsizetype(size - 1));
    if (told(bytes, bytes.size()) != told(bytes, data[0] + 1))
        std::abort();
    return 0;
}
