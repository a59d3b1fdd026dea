// The one list of protocols.
#pragma once

#include "core/protocol/protocol.h"

namespace ym {

/// The protocols of this build, in the order in which a form offers them. Filled by the composition (engine); lives as
/// long as the process.
class ProtocolRegistry {
public:
    void add(std::unique_ptr<Protocol> protocol);
    /// Null when there is none of that name.
    const Protocol *find(const QByteArray &name) const;
    std::vector<const Protocol *> all() const;

private:
    std::vector<std::unique_ptr<Protocol>> m_protocols;
};

} // namespace ym
