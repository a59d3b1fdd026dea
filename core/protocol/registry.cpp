#include "core/protocol/registry.h"

namespace ym {

void ProtocolRegistry::add(std::unique_ptr<Protocol> protocol)
{
    m_protocols.push_back(std::move(protocol));
}

const Protocol *ProtocolRegistry::find(const QByteArray &name) const
{
    for (const auto &protocol : m_protocols) {
        if (protocol->name() == name)
            return protocol.get();
    }
    return nullptr;
}

std::vector<const Protocol *> ProtocolRegistry::all() const
{
    std::vector<const Protocol *> list;
    for (const auto &protocol : m_protocols)
        list.push_back(protocol.get());
    return list;
}

} // namespace ym
