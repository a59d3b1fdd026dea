// Translated text of the command line.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace ym::cli {

inline QString tr(const char *text)
{
    return QCoreApplication::translate("ym::cli", text);
}

} // namespace ym::cli
