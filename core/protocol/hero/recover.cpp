#include "core/protocol/hero/recover.h"

#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/scripts.h"

namespace ym::hero {

namespace {

constexpr int batch = 100; ///< jobs a script, so that it stays short
constexpr int mostTurns = 1'000; ///< what is due after them is the next call's

QByteArray servedEnd(ServingOrder order)
{
    return order == ServingOrder::Fifo ? "RIGHT" : "LEFT";
}

} // namespace

QCoro::Task<int> recoverTypes(Store *store, ProtocolOptions options, QList<QByteArray> types, LeaseGrace *grace)
{
    int moved = 0;
    for (const QByteArray &type : types) {
        const QList<QByteArray> keyList{keys::lease(type), keys::claims(type)};
        const QList<QByteArray> args{type, QByteArray::number(options.maxRescues), QByteArray::number(batch),
                                     servedEnd(options.order), QByteArray::number(qint64(options.replyTtl.count()))};
        bool isMore = true;
        for (int turn = 0; isMore && turn < mostTurns; ++turn) {
            const LeaseGrace::Question question = grace->ask();
            QList<QByteArray> words = args;
            words.append(question.latest ? QByteArray::number(*question.latest) : QByteArray());
            const Reply reply = co_await store->script(script("recover"), keyList, words);
            const std::vector<Reply> &answer = reply.toArray();
            if (answer.size() != 3)
                break;
            moved += int(answer[0].toInteger());
            isMore = answer[1].toInteger() == 1;
            grace->answered(question, answer[2].toInteger());
        }
    }
    co_return moved;
}

} // namespace ym::hero
