// yardmaster submit: queues a script for whoever works there.
#pragma once

#include "app/cli/command.h"
#include "app/cli/draft_options.h"
#include "app/cli/graph_file.h"

namespace ym::cli {

class SubmitCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    QCoro::Task<int> run(Context *context) override;

private:
    void describe(Job *job) const;
    QCoro::Task<int> waitForEnd(Context *context, Producer *producer, QByteArray id);

    DraftOptions m_options;
    QByteArray m_group;
    QByteArray m_instance;
    QByteArray m_workerId;
    int m_priority = 1;
    int m_delay = 0;
    QByteArray m_id;
    QList<QByteArray> m_after;
    bool m_isConcurrent = false;
    bool m_waits = false;
    bool m_isGraph = false;
    bool m_isDry = false;
    Job m_draft;
    GraphFile m_graph;
};

} // namespace ym::cli
