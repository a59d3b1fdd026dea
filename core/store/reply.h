// One RESP2 value, and the checked ways to read it.
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QList>

#include <vector>

namespace ym {

/// A reply of a store. Readers throw StoreError(Protocol) when the shape is not the expected one, so a protocol's
/// code states what it expects and needs no branches.
struct Reply {
    enum class Type : quint8 { Nil, Status, Error, Integer, Bulk, Array };

    Type type = Type::Nil;
    qint64 integer = 0;
    QByteArray string;           ///< Status, Error (with its code word) and Bulk
    std::vector<Reply> elements; ///< Array; a nil array is Type::Nil

    static Reply nil() { return {}; }
    static Reply status(QByteArray text) { return {Type::Status, 0, std::move(text), {}}; }
    static Reply error(QByteArray text) { return {Type::Error, 0, std::move(text), {}}; }
    static Reply number(qint64 value) { return {Type::Integer, value, {}, {}}; }
    static Reply bulk(QByteArray bytes) { return {Type::Bulk, 0, std::move(bytes), {}}; }
    static Reply array(std::vector<Reply> items) { return {Type::Array, 0, {}, std::move(items)}; }

    bool isNil() const { return type == Type::Nil; }
    bool isError() const { return type == Type::Error; }
    bool isArray() const { return type == Type::Array; }

    /// Integer, or a bulk that is a decimal number.
    qint64 toInteger() const;
    /// Bulk or status; nil gives an empty array of bytes.
    QByteArray toBytes() const;
    /// The elements; nil gives none.
    const std::vector<Reply> &toArray() const;
    /// An array of strings; nil elements become empty.
    QList<QByteArray> toList() const;

    bool operator==(const Reply &) const = default;
};

/// Maps an error reply's text to the failure it means (RELIABILITY 6.1). The text is cut to 200 characters and made
/// printable (P14).
Error errorFromReply(const QByteArray &text);

} // namespace ym
