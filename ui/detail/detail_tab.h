// One tab of the detail pane.
#pragma once

#include "core/engine/session.h"
#include "core/job/remedy.h"

#include <QWidget>

namespace ym {

class ConnectionModels;

/// GUI thread. show() comes again whenever the job was read again; clear() when another job is on its way.
class DetailTab : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// "overview": in settings and object names.
    virtual QByteArray name() const = 0;
    /// Null when the connection goes away. Comes with clear().
    virtual void setModels(ConnectionModels *models) { m_models = models; }
    virtual void show(const JobDetail &detail) = 0;
    virtual void clear() = 0;

Q_SIGNALS:
    void jobWanted(const QByteArray &id);
    void failed(const ym::Error &error);
    /// Something can be done about what keeps the job from running.
    void remedyWanted(const ym::Remedy &remedy);

protected:
    ConnectionModels *models() const { return m_models; }

private:
    ConnectionModels *m_models = nullptr;
};

} // namespace ym
