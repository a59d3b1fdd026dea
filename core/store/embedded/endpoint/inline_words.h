// Words of an inline command: what a person types into a plain connection.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace ym::embedded {

/// Splits a line at blanks. "…" knows \n \r \t \b \a \xHH and \c for any other character, '…' knows \'; a closing quote
/// must be followed by a blank or the end. Nothing when quotes are unbalanced. A zero byte ends the line.
std::optional<QList<QByteArray>> splitInlineWords(QByteArrayView line);

} // namespace ym::embedded
