// What INFO and CONFIG GET tell about the embedded store.
#pragma once

#include <QByteArray>
#include <QList>

#include <utility>

namespace ym::embedded {

class Executor;

/// The text of INFO; all sections when none is named (lower case names; "all", "default" and "everything" are known).
QByteArray serverInfo(const Executor &executor, const QList<QByteArray> &sections);

/// The settings that clients look at, as Redis would give them.
QList<std::pair<QByteArray, QByteArray>> serverConfig(const Executor &executor);

} // namespace ym::embedded
