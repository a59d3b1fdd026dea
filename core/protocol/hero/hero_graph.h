// Submits jobs that wait for one another, as a whole or not at all.
#pragma once

#include "core/job/dependency_graph.h"
#include "core/store/store.h"

namespace ym::hero {

/// The fields of one staged job and what it waits for outside its graph.
struct StagedJob {
    QByteArray id;
    QList<ByteField> fields;
    QList<QByteArray> outside;
};

/// Stages the jobs part by part, commits them in one step and makes them real. Each script is short, however large the
/// graph; whoever recovers finishes what was committed. Answers as graph_stage.lua does when it refuses; empty when all is
/// well. The same jobs again are the same graph.
QCoro::Task<QList<QByteArray>> stageGraph(Store *store, Milliseconds replyTtl, std::vector<StagedJob> jobs);

} // namespace ym::hero
