// A row of byte strings in one block of memory, readable from both ends.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <memory>

namespace ym::embedded {

/// The compact form of small collections and the chunk of a list. An element costs its length plus two bytes (ten from
/// 255 bytes on). There is room to grow at either end. Positions are byte offsets and become invalid by any change.
class Packed {
public:
    using Position = quint32;

    Packed() = default;
    Packed(const Packed &other);
    Packed(Packed &&) = default;
    Packed &operator=(Packed &&) = default;

    qsizetype count() const { return m_count; }
    bool isEmpty() const { return m_count == 0; }
    /// Bytes in use, without the spare room.
    qsizetype bytes() const { return m_end - m_begin; }
    qsizetype capacity() const { return m_capacity; }
    /// What an element of `size` bytes takes.
    static qsizetype costOf(qsizetype size) { return size + (size < wide ? 2 : 10); }

    Position first() const { return m_begin; }
    Position end() const { return m_end; }
    Position next(Position at) const;
    Position previous(Position at) const;
    /// The first of the elements number 0, `step`, 2 × `step` … that is `wanted`; end() when none is.
    Position find(QByteArrayView wanted, int step) const;
    /// The position of element `index`, counted from the nearer end; end() when there is none.
    Position at(qsizetype index) const;
    QByteArrayView view(Position at) const;
    QByteArray bytesAt(Position at) const { return view(at).toByteArray(); }

    void append(QByteArrayView value) { insert(m_end, value); }
    void prepend(QByteArrayView value) { insert(m_begin, value); }
    /// Puts `value` before the element at `at`.
    void insert(Position at, QByteArrayView value);
    void replace(Position at, QByteArrayView value);
    /// Removes `count` elements from `at` on.
    void remove(Position at, qsizetype count = 1);
    void clear();

private:
    static constexpr qsizetype wide = 255;

    char *openGap(Position at, qsizetype size);
    void write(char *to, QByteArrayView value);

    std::unique_ptr<char[]> m_data;
    quint32 m_capacity = 0;
    quint32 m_begin = 0;
    quint32 m_end = 0;
    quint32 m_count = 0;
};

} // namespace ym::embedded
