// yardmaster serve: opens the embedded store to other programs.
#pragma once

#include "app/cli/command.h"

#include <optional>

namespace ym {
class Endpoint;
}

namespace ym::cli {

class ServeCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    bool worksInMemory() const override { return true; }
    bool worksReadOnly() const override { return false; }
    QCoro::Task<int> run(Context *context) override;

private:
    QCoro::Task<void> untilTold(Context *context, Endpoint *endpoint);
    static Endpoint *endpointOf(Store *store, std::unique_ptr<Endpoint> *own);
    Json open(Context *context, Endpoint *endpoint) const;
    void openUnix(Context *context, Endpoint *endpoint) const;
    void openPort(const Context *context, Endpoint *endpoint, Json *urls) const;

    QByteArray m_portText;
    std::optional<quint16> m_port;
    QByteArray m_path;
};

} // namespace ym::cli
