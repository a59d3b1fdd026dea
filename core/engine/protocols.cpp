#include "core/engine/protocols.h"

#include "core/protocol/hero/hero_protocol.h"

namespace ym {

const ProtocolRegistry &protocols()
{
    static const ProtocolRegistry registry = [] {
        ProtocolRegistry list;
        list.add(std::make_unique<HeroProtocol>());
        return list;
    }();
    return registry;
}

} // namespace ym
