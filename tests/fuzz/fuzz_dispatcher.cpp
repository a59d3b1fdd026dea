// libFuzzer: commands on an executor. The input is RESP or inline text; what a client would get is serialised, the
// effects are replayed on a second executor, and both must hold the same number of keys.
#include "core/store/embedded/client_context.h"
#include "core/store/embedded/effects.h"
#include "core/store/embedded/endpoint/request_parser.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/resp.h"

#include <cstdlib>

using namespace ym;
using namespace ym::embedded;

namespace {

constexpr int mostCommands = 64;

class RecordedEffects final : public EffectSink {
public:
    void append(const QList<QList<QByteArray>> &effects) override { all += effects; }
    QByteArray refusal() const override { return {}; }

    QList<QList<QByteArray>> all;
};

/// Commands that take their time by design, or whose reply depends on the process.
bool isLeftOut(const QByteArray &verb)
{
    static const QList<QByteArray> names{"eval", "evalsha", "eval_ro", "evalsha_ro", "script", "debug", "shutdown"};
    return names.contains(verb.toLower());
}

void run(Executor &executor, ClientContext &client, QByteArrayView bytes)
{
    RequestParser parser;
    parser.setLimits({64 * 1024, 256 * 1024, true});
    parser.feed(bytes);
    QByteArray out;
    for (int i = 0; i < mostCommands && parser.next() == RequestParser::Outcome::Complete; ++i) {
        if (isLeftOut(parser.words().constFirst()))
            continue;
        const Executor::Outcome outcome = executor.execute(client, parser.words());
        if (outcome.isBlocked)
            executor.endWaiting(client, nilArray());
        appendReply(out, outcome.reply);
        out.truncate(0);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ManualClock clock;
    RecordedEffects effects;
    Executor executor(&clock, &effects);
    ClientContext client;
    client.mayBlock = true;
    client.onServed = [](const Reply &) {};
    client.onMessage = [](const Reply &) {};
    executor.introduce(client);
    run(executor, client, QByteArrayView(data, qsizetype(size)));
    executor.forget(client);

    Executor copy(&clock);
    for (const QList<QByteArray> &effect : std::as_const(effects.all))
        copy.replay(effect); // throws when an effect is no command
    for (size_t i = 0; i < copy.databases().size(); ++i) {
        if (copy.databases()[i].size() != executor.databases()[i].size())
            std::abort();
    }
    return 0;
}
