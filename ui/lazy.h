// A part of the window that is made when it is first needed.
#pragma once

#include <functional>
#include <utility>

namespace ym {

/// Knows how to make one widget and makes it once. Who makes it gives it its parent, which owns it. GUI thread.
template <typename Widget> class Lazy {
public:
    explicit Lazy(std::function<Widget *()> make)
        : m_make(std::move(make))
    {
    }

    /// Makes it when it is not there yet.
    Widget *get()
    {
        if (!m_made)
            m_made = m_make();
        return m_made;
    }
    /// Null before it was needed.
    Widget *made() const { return m_made; }

private:
    std::function<Widget *()> m_make;
    Widget *m_made = nullptr;
};

} // namespace ym
