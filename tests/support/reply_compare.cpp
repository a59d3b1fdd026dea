#include "tests/support/reply_compare.h"

#include "core/store/embedded/call.h"
#include "core/store/embedded/resp.h"

#include "tests/support/random_commands.h"

#include <algorithm>

namespace ym::test {

namespace {

using Words = QList<QByteArray>;

/// Elements in a fixed order: pairs stay together; of a scan, those of its second part.
Reply sorted(const Words &words, Reply reply)
{
    if (words.first().toUpper().endsWith("SCAN") && reply.elements.size() == 2) {
        Reply &elements = reply.elements[1];
        const bool isSingle = words.first().toUpper() == "SCAN" || words.first().toUpper() == "SSCAN";
        elements = sorted({isSingle ? "SMEMBERS" : "HGETALL"}, elements);
        return reply;
    }
    const QByteArray last = words.last().toUpper();
    const bool isPairs = words.first().toUpper() == "HGETALL" || last == "WITHVALUES" || last == "WITHSCORES";
    QList<QByteArray> parts;
    const size_t step = isPairs ? 2 : 1;
    for (size_t i = 0; i + step <= reply.elements.size(); i += step)
        parts.append(bytesOf(reply.elements[i]) + (isPairs ? bytesOf(reply.elements[i + 1]) : QByteArray()));
    std::sort(parts.begin(), parts.end());
    return embedded::bulkArray(parts);
}

/// Without an order, or with one that leaves elements equal: those of a set come in the order of its table.
bool isUnsorted(const Words &words)
{
    return words.first().toUpper().startsWith("SORT")
        && (words.contains("nosort") || (words.contains("ALPHA") && words.contains("BY")));
}

/// How many nodes a tree has, is the server's own business.
Reply withoutTreeNodes(const Words &words, Reply reply)
{
    constexpr size_t place = 5;
    if (words.first().toUpper() == "XINFO" && reply.elements.size() > place
        && reply.elements[place - 1].string == "radix-tree-nodes")
        reply.elements[place] = {};
    return reply;
}

} // namespace

QByteArray bytesOf(const Reply &reply)
{
    QByteArray bytes;
    embedded::appendReply(bytes, reply);
    return bytes;
}

QByteArray comparable(const Words &words, const Reply &reply)
{
    if (!reply.isArray())
        return bytesOf(reply);
    // A part of a set without order.
    if (isUnsorted(words) && words.contains("LIMIT"))
        return QByteArray::number(qint64(reply.elements.size()));
    const bool hasNoOrder = RandomCommands::isUnordered(words) || isUnsorted(words);
    return bytesOf(hasNoOrder ? sorted(words, reply) : withoutTreeNodes(words, reply));
}

bool isUnfounded(const Words &words, const Reply &reply)
{
    if (!reply.isError())
        return false;
    // When a millisecond has no number left, Redis takes its reason from an earlier failure.
    if (words.first().toUpper() == "XADD")
        return reply.string.contains("Elements are too large to be stored");
    return words.first().toUpper().startsWith("SORT") && reply.string.contains("can't be converted into double");
}

QByteArray shown(const Words &words)
{
    QByteArray text;
    for (const QByteArray &word : words)
        text += '"' + word.left(300).toPercentEncoding(" !#$&'()*+,-./:;<=>?@[]^_{|}~\n") + "\" ";
    return text;
}

QByteArray shown(const Reply &reply)
{
    return bytesOf(reply).left(600).toPercentEncoding(" '\",:()*$-+@_");
}

QList<Words> questionsAbout(const QList<QByteArray> &keys)
{
    QList<Words> questions;
    for (const QByteArray &key : keys) {
        questions << Words{"TYPE", key} << Words{"PEXPIRETIME", key} << Words{"GET", key}
                  << Words{"LRANGE", key, "0", "-1"} << Words{"HGETALL", key} << Words{"SMEMBERS", key}
                  << Words{"ZRANGE", key, "0", "-1", "WITHSCORES"} << Words{"XRANGE", key, "-", "+"}
                  << Words{"XINFO", "STREAM", key};
    }
    return questions;
}

} // namespace ym::test
