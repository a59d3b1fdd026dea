#include "core/base/error.h"

namespace ym {

QString Error::text() const
{
    return advice.isEmpty() ? message : message + QStringLiteral(" ") + advice;
}

StoreError::StoreError(Error error)
    : m_error(std::move(error))
    , m_what(m_error.text().toUtf8())
{
}

StoreError::StoreError(ErrorKind kind, QString message, QString advice)
    : StoreError(Error{kind, std::move(message), std::move(advice), false})
{
}

bool isTransient(ErrorKind kind)
{
    return kind == ErrorKind::Unavailable || kind == ErrorKind::Timeout || kind == ErrorKind::Busy
        || kind == ErrorKind::OutOfMemory || kind == ErrorKind::NotWritable || kind == ErrorKind::ReadOnly;
}

} // namespace ym
