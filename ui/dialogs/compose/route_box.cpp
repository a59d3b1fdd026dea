#include "ui/dialogs/compose/route_box.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/engine/session.h"
#include "ui/theme.h"

#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int delayMs = 250;
constexpr int refreshMs = 2000;
constexpr qsizetype namedListeners = 3;

QString workerName(const WorkerInfo &worker)
{
    QByteArrayList parts{worker.target.type};
    if (!worker.target.group.isEmpty())
        parts.append(worker.target.group);
    if (!worker.target.instance.isEmpty())
        parts.append(worker.target.instance);
    const QString name = shownText(parts.join(':'), Lines::Flatten, 60);
    if (worker.local)
        return RouteBox::tr("%1 (here)").arg(name);
    return worker.hostname.isEmpty()
        ? name
        : RouteBox::tr("%1 on %2").arg(name, shownText(worker.hostname, Lines::Flatten, 40));
}

} // namespace

RouteBox::RouteBox(Session *session, QWidget *parent)
    : QFrame(parent)
    , m_session(session)
    , m_queue(plainLabel({}, this))
    , m_listeners(plainLabel({}, this))
    , m_ahead(plainLabel({}, this))
    , m_before(dimLabel({}, this))
    , m_start(new QPushButton(tr("Start a &local worker…"), this))
{
    setFrameShape(QFrame::StyledPanel);
    setObjectName(QStringLiteral("routeBox"));
    m_queue->setObjectName(QStringLiteral("routeQueue"));
    m_listeners->setObjectName(QStringLiteral("routeListeners"));
    m_ahead->setObjectName(QStringLiteral("routeAhead"));
    m_start->setObjectName(QStringLiteral("startWorker"));
    m_start->setAutoDefault(false);
    m_queue->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_before->setObjectName(QStringLiteral("routeBefore"));
    m_before->hide();
    for (QLabel *label : {m_queue, m_listeners, m_ahead, m_before})
        label->setWordWrap(true);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(3);
    column->addWidget(dimLabel(tr("Where it will go"), this));
    column->addWidget(m_queue);
    column->addWidget(m_listeners);
    column->addWidget(m_ahead);
    column->addWidget(m_before);
    column->addWidget(m_start, 0, Qt::AlignLeft);
    m_start->hide();

    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshMs);
    connect(&m_delay, &QTimer::timeout, this, &RouteBox::ask);
    connect(&m_refresh, &QTimer::timeout, this, &RouteBox::ask);
    connect(m_start, &QPushButton::clicked, this, &RouteBox::startWorkerWanted);
    connect(session, &Session::changed, this, &RouteBox::followNews);
}

void RouteBox::setTarget(const Target &target)
{
    if (m_decided && target == m_target)
        return;
    m_decided = true;
    m_target = target;
    m_route.reset();
    ++m_question;
    m_delay.start();
}

void RouteBox::setUndecided(const QString &why)
{
    m_decided = false;
    m_route.reset();
    ++m_question;
    m_delay.stop();
    m_refresh.stop();
    sayInstead(why, Tone::Dim);
}

void RouteBox::setBefore(const QString &what)
{
    m_before->setText(what);
    m_before->setVisible(!what.isEmpty());
}

void RouteBox::sayInstead(const QString &text, Tone tone)
{
    m_queue->setFont(font());
    setTone(m_queue, tone);
    m_queue->setText(text);
    m_listeners->hide();
    m_ahead->hide();
    m_start->hide();
}

void RouteBox::followNews(const ChangeSet &changes)
{
    const bool matters = changes.workers || changes.queues || changes.localWorkers;
    if (m_decided && matters && !m_refresh.isActive() && isVisible())
        m_refresh.start();
}

void RouteBox::ask()
{
    if (!m_session || !m_decided)
        return;
    const quint64 question = ++m_question;
    whenReady(m_session->preview(m_target), this, [this, question](const Result<RoutePreview> &answer) {
        if (question == m_question)
            show(answer);
    });
}

void RouteBox::show(const Result<RoutePreview> &answer)
{
    if (answer) {
        showRoute(*answer);
    } else {
        m_route.reset();
        sayInstead(answer.error().text(), Tone::Problem);
    }
    Q_EMIT shown();
}

void RouteBox::showRoute(const RoutePreview &route)
{
    m_route = route;
    QStringList keys, names;
    for (const QByteArray &key : route.queueKeys)
        keys.append(shownText(key, Lines::Flatten, 200));
    for (const WorkerInfo &worker : route.listeners.first(std::min(namedListeners, route.listeners.size())))
        names.append(workerName(worker));
    if (route.listeners.size() > namedListeners)
        names.append(tr("%1 more").arg(route.listeners.size() - namedListeners));
    m_queue->setFont(monoFont());
    setTone(m_queue, Tone::Normal);
    m_queue->setText(keys.join(u'\n'));
    const bool nobody = route.listeners.isEmpty();
    setTone(m_listeners, !nobody ? Tone::Good : route.hidesWorkers ? Tone::Dim : Tone::Problem);
    m_listeners->setText(!nobody ? tr("Listening: %1").arg(names.join(QStringLiteral(", ")))
                             : route.hidesWorkers
                             ? tr("Workers of legacy queues do not register: whether one listens cannot be seen.")
                             : tr("Nobody listens on this queue; the job will wait there."));
    setTone(m_ahead, Tone::Dim);
    m_ahead->setText(route.ahead == 0       ? tr("No job is before it.")
                         : route.ahead == 1 ? tr("One job is before it.")
                                            : tr("%1 jobs are before it.").arg(QLocale().toString(route.ahead)));
    m_listeners->show();
    m_ahead->show();
    m_start->setVisible(nobody);
}

} // namespace ym
