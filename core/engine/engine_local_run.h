// A script tried out on this machine: started in the core thread, followed in the GUI thread.
#pragma once

#include "core/base/task_scope.h"
#include "core/engine/session.h"

#include <QPointer>

namespace ym {

class Executor;

/// `context` lives in the core thread; `executor` and `scope` too, and they outlive every run: destroying this only asks
/// the script to end.
class EngineLocalRun final : public LocalRun {
    Q_OBJECT
public:
    struct Parts {
        QObject *context = nullptr;
        std::function<Executor *()> executor; ///< called in the core thread
        TaskScope *scope = nullptr;
        QString auditFile;
        bool limitsOnly = false; ///< as in RunGrant
    };
    EngineLocalRun(Parts parts, Job job);
    ~EngineLocalRun() override;

    void stop() override;

private:
    struct Shared;
    static QCoro::Task<void> run(std::shared_ptr<Shared> shared, Job job);

    std::shared_ptr<Shared> m_shared;
    QPointer<QObject> m_context; ///< the core may have ended first
};

} // namespace ym
