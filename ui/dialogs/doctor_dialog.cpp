#include "ui/dialogs/doctor_dialog.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/dialogs/doctor/finding_card.h"
#include "ui/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace.h"

#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTime>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr qsizetype mostCards = 200;

QString jobsText(const Examination &examination)
{
    QStringList states;
    for (int state = 0; state < jobStateCount; ++state) {
        if (const qint64 count = examination.jobs[size_t(state)]; count > 0)
            states.append(
                DoctorDialog::tr("%1 %2").arg(QLocale().toString(count), stateWord(JobState(state)).toLower()));
    }
    const QString jobs = counted(examination.jobCount(), DoctorDialog::tr("1 job"), DoctorDialog::tr("%1 jobs"));
    return states.isEmpty() ? jobs : DoctorDialog::tr("%1 (%2)").arg(jobs, states.join(QStringLiteral(", ")));
}

} // namespace

DoctorDialog::DoctorDialog(Workspace *workspace, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_workspace(workspace)
    , m_summary(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_again(new QPushButton(tr("&Look again"), this))
    , m_pages(new QStackedWidget(this))
    , m_area(new QScrollArea(m_pages))
    , m_empty(new EmptyState(m_pages))
{
    setModal(false);
    setObjectName(QStringLiteral("doctorDialog"));
    m_summary->setObjectName(QStringLiteral("doctorSummary"));
    m_summary->setWordWrap(true);
    m_again->setObjectName(QStringLiteral("lookAgain"));
    m_again->setAutoDefault(false);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->viewport()->setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_area);
    auto *const top = new QHBoxLayout;
    top->setContentsMargins(space::large, space::medium, space::large, space::small);
    top->setSpacing(space::large);
    top->addWidget(m_summary, 1);
    top->addWidget(m_again, 0, Qt::AlignTop);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_pages, 1);
    resize(820, 620);
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::look);
    connect(m_empty, &EmptyState::mainClicked, this, &DoctorDialog::look);
    connect(workspace, &Workspace::currentChanged, this, &DoctorDialog::follow);
    follow();
}

/// Shows what is now shown in the window.
void DoctorDialog::follow()
{
    m_session = m_workspace->session();
    if (!m_session) {
        close();
        return;
    }
    setWindowTitle(tr("What is stuck · %1").arg(shownText(m_session->profile().name.toUtf8(), Lines::Flatten, 80)));
    m_summary->setText({});
    m_empty->show({"search", tr("Looking…"), tr("At queues, workers and every job that is not over."), {}, {}, -1});
    m_pages->setCurrentWidget(m_empty);
    disconnect(m_actions);
    m_actions = connect(m_session, &Session::bulkProgressed, this, [this](qint64, qint64 total) {
        if (total == 0 && m_isOld)
            look();
    });
    look();
}

void DoctorDialog::look()
{
    if (!m_session)
        return;
    m_isOld = false;
    m_again->setEnabled(false);
    const quint64 number = ++m_looks;
    whenReady(m_session->examine(), this, [this, number](const Result<Examination> &examination) {
        if (number == m_looks)
            take(examination);
    });
}

void DoctorDialog::want(const Remedy &remedy)
{
    m_isOld = true;
    Q_EMIT remedyWanted(remedy);
}

/// Back from the window in which a worker was started.
void DoctorDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_isOld)
        look();
}

void DoctorDialog::take(const Result<Examination> &examination)
{
    m_again->setEnabled(true);
    if (examination)
        return showFindings(*examination);
    m_summary->setText({});
    m_empty->show({"error", tr("The store cannot be looked at"), examination.error().text(), tr("Try again"), {}});
    m_pages->setCurrentWidget(m_empty);
}

void DoctorDialog::showFindings(const Examination &examination)
{
    showSummary(examination);
    if (examination.findings.isEmpty()) {
        m_empty->show({"done",
                       tr("Nothing is stuck"),
                       tr("Every job that is not over can run, and somebody is there for it."),
                       {},
                       {}});
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    const int place = m_area->verticalScrollBar()->value();
    auto *const content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    auto *const column = new QVBoxLayout(content);
    column->setContentsMargins(space::large, space::small, space::large, space::large);
    column->setSpacing(space::small);
    const bool mayChange = m_session && !m_session->profile().readOnly;
    for (const Finding &finding : examination.findings.mid(0, mostCards)) {
        auto *const card = new FindingCard(finding, mayChange, content);
        column->addWidget(card);
        connect(card, &FindingCard::jobWanted, m_workspace, &Workspace::openJob);
        connect(card, &FindingCard::remedyWanted, this, &DoctorDialog::want);
    }
    if (const qsizetype more = examination.findings.size() - mostCards; more > 0)
        column->addWidget(
            new TextLabel(counted(more, tr("and 1 more"), tr("and %1 more")), TextLabel::Kind::Secondary, content));
    column->addStretch();
    m_area->setWidget(content);
    m_pages->setCurrentWidget(m_area);
    m_area->verticalScrollBar()->setValue(place);
}

void DoctorDialog::showSummary(const Examination &examination)
{
    using Severity = Finding::Severity;
    const QString found = tr("%1, %2, %3")
                              .arg(counted(examination.countOf(Severity::Problem), tr("1 problem"), tr("%1 problems")),
                                   counted(examination.countOf(Severity::Warning), tr("1 warning"), tr("%1 warnings")),
                                   counted(examination.countOf(Severity::Note), tr("1 note"), tr("%1 notes")));
    m_summary->setText(tr("%1 · %2, %3, %4 · looked at %5")
                           .arg(found, jobsText(examination),
                                counted(examination.queueCount, tr("1 queue"), tr("%1 queues")),
                                counted(examination.workerCount, tr("1 worker"), tr("%1 workers")),
                                QLocale().toString(QTime::currentTime(), QStringLiteral("HH:mm:ss"))));
}

} // namespace ym
