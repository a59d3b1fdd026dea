#include "ui/dialogs/compose/prerequisites_picker.h"

#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "core/engine/session.h"
#include "models/job_picker_model.h"
#include "models/job_table_model.h"
#include "ui/dialogs/parts/detail_delegate.h"
#include "ui/dialogs/parts/flow_layout.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

namespace ym {

namespace {

/// Rows of the search list: the id, and the picker's detail where DetailDelegate looks for it.
class FoundModel final : public QIdentityProxyModel {
public:
    using QIdentityProxyModel::QIdentityProxyModel;
    QVariant data(const QModelIndex &index, int role) const override
    {
        if (role == Qt::DisplayRole || role == Qt::EditRole)
            return shownText(index.data(JobPickerModel::IdRole).toByteArray(), Lines::Flatten, 40);
        if (role == DetailDelegate::detailRole)
            return stateWord(JobState(index.data(JobPickerModel::StateRole).toInt())).toLower() + QStringLiteral(" · ")
                + index.data(JobPickerModel::DetailRole).toString();
        return QIdentityProxyModel::data(index, role);
    }
};

} // namespace

class PrerequisitesPicker::Chip final : public QFrame {
public:
    Chip(const QByteArray &jobId, QWidget *parent)
        : QFrame(parent)
        , id(jobId)
        , m_label(plainLabel({}, this))
        , remove(new QToolButton(this))
    {
        setObjectName(QStringLiteral("chip"));
        setFrameShape(QFrame::StyledPanel);
        setToolTip(shownText(id, Lines::Flatten, 200).toHtmlEscaped());
        remove->setText(QStringLiteral("✕"));
        remove->setAutoRaise(true);
        remove->setFocusPolicy(Qt::TabFocus);
        remove->setObjectName(QStringLiteral("removeChip"));
        remove->setAccessibleName(PrerequisitesPicker::tr("Do not wait for %1").arg(shownText(id, Lines::Flatten, 40)));
        auto *const row = new QHBoxLayout(this);
        row->setContentsMargins(8, 1, 2, 1);
        row->setSpacing(4);
        row->addWidget(m_label);
        row->addWidget(remove);
        show(std::nullopt);
    }

    void show(std::optional<JobState> known)
    {
        state = known;
        const QString short8 = shownText(id.left(8), Lines::Flatten);
        const QString word = known ? stateWord(*known).toLower()
            : missing              ? PrerequisitesPicker::tr("not found")
                                   : QStringLiteral("…");
        m_label->setText(short8 + QStringLiteral(" · ") + word);
        const bool bad =
            missing || known == JobState::Failed || known == JobState::Dead || known == JobState::Lost;
        setTone(m_label, bad ? Tone::Problem : known == JobState::Finished ? Tone::Good : Tone::Normal);
    }

    const QByteArray id;
    std::optional<JobState> state;
    bool missing = false;

private:
    QLabel *m_label;

public:
    QToolButton *const remove;
};

PrerequisitesPicker::PrerequisitesPicker(Session *session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_line(new QLineEdit(this))
    , m_chipArea(new QWidget(this))
    , m_flow(new FlowLayout(4, m_chipArea))
{
    m_line->setObjectName(QStringLiteral("prerequisiteSearch"));
    m_line->setPlaceholderText(tr("Search a job, or paste its id"));
    m_line->setClearButtonEnabled(true);
    m_line->setMaxLength(200);
    m_line->installEventFilter(this);
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_line);
    column->addWidget(m_chipArea);
    m_chipArea->hide();
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textEdited, this, &PrerequisitesPicker::search);
    connect(session, &Session::changed, this, &PrerequisitesPicker::follow);
}

PrerequisitesPicker::~PrerequisitesPicker() = default;

void PrerequisitesPicker::setJobs(JobTableModel *jobs)
{
    m_jobs = jobs;
    delete m_found;
    m_found = new JobPickerModel(jobs, 50, this);
    auto *const rows = new FoundModel(m_found);
    rows->setSourceModel(m_found);
    delete m_completer;
    m_completer = new QCompleter(rows, this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(8);
    m_completer->setWidget(m_line);
    m_completer->popup()->setItemDelegate(new DetailDelegate(m_completer));
    m_completer->popup()->setObjectName(QStringLiteral("prerequisiteList"));
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
            [this](const QModelIndex &index) { takeRow(index.row()); });
    connect(m_found, &JobPickerModel::found, this, [this] {
        if (m_line->hasFocus() && !m_line->text().isEmpty() && m_found->rowCount() > 0)
            m_completer->complete();
    });
}

void PrerequisitesPicker::search(const QString &text)
{
    if (!m_found)
        return;
    m_found->setExcluded(ids());
    m_found->setQuery(text);
}

bool PrerequisitesPicker::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto *const key = static_cast<QKeyEvent *>(event);
    const bool returnKey = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (returnKey && key->modifiers() == Qt::NoModifier && !m_line->text().isEmpty()) {
        takeTyped();
        return true;
    }
    if (key->key() == Qt::Key_Backspace && m_line->text().isEmpty() && !m_chips.isEmpty()) {
        removeChip(m_chips.last()->id);
        return true;
    }
    if (key->key() == Qt::Key_Down && m_found && m_found->rowCount() == 0) {
        search(m_line->text());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

/// The only match, or ids that were typed or pasted whole, separated by blanks or commas.
void PrerequisitesPicker::takeTyped()
{
    static const QRegularExpression gap(QStringLiteral("[\\s,;]+"));
    static const QRegularExpression uuid(QStringLiteral("^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"));
    bool took = false;
    for (const QString &word : m_line->text().split(gap, Qt::SkipEmptyParts)) {
        if (!uuid.match(word).hasMatch())
            continue;
        add(word.toLower().toLatin1());
        took = true;
    }
    if (!took && m_found && m_found->rowCount() == 1)
        return takeRow(0);
    if (took)
        m_line->clear();
}

void PrerequisitesPicker::takeRow(int row)
{
    const QByteArray id = m_found->idAt(row);
    if (!id.isEmpty())
        add(id);
    // The completer writes the row's text into the line after this.
    QMetaObject::invokeMethod(m_line, &QLineEdit::clear, Qt::QueuedConnection);
}

QList<QByteArray> PrerequisitesPicker::ids() const
{
    QList<QByteArray> all;
    for (const Chip *chip : m_chips)
        all.append(chip->id);
    return all;
}

void PrerequisitesPicker::setIds(const QList<QByteArray> &ids)
{
    while (!m_chips.isEmpty())
        dropChip(m_chips.last());
    for (const QByteArray &id : ids)
        add(id);
}

void PrerequisitesPicker::add(const QByteArray &id)
{
    if (ids().contains(id))
        return;
    auto *const chip = new Chip(id, m_chipArea);
    m_chips.append(chip);
    m_flow->addWidget(chip);
    connect(chip->remove, &QToolButton::clicked, this, [this, id] { removeChip(id); });
    m_chipArea->show();
    learn(id);
    Q_EMIT edited();
}

void PrerequisitesPicker::dropChip(Chip *chip)
{
    m_chips.removeOne(chip);
    m_flow->removeWidget(chip);
    chip->hide();
    chip->deleteLater(); // its button may be the sender
    m_chipArea->setVisible(!m_chips.isEmpty());
}

void PrerequisitesPicker::removeChip(const QByteArray &id)
{
    for (Chip *chip : m_chips) {
        if (chip->id != id)
            continue;
        dropChip(chip);
        m_line->setFocus();
        Q_EMIT edited();
        Q_EMIT concernChanged();
        return;
    }
}

/// Asks the table first, then the store: the job may be older than what is listed so far.
void PrerequisitesPicker::learn(const QByteArray &id)
{
    const std::optional<JobSummary> known = m_jobs ? m_jobs->summary(id) : std::nullopt;
    if (known)
        return show(id, known->state);
    if (!m_session)
        return;
    whenReady(m_session->job(id), this, [this, id](const Result<JobDetail> &detail) {
        if (detail)
            show(id, detail->job.state);
        else if (detail.error().kind == ErrorKind::NotFound)
            show(id, std::nullopt);
    });
}

void PrerequisitesPicker::show(const QByteArray &id, std::optional<JobState> state)
{
    for (Chip *chip : m_chips) {
        if (chip->id != id)
            continue;
        chip->missing = !state;
        chip->show(state);
        Q_EMIT concernChanged();
    }
}

void PrerequisitesPicker::follow()
{
    if (!m_jobs)
        return;
    for (const QByteArray &id : ids()) {
        const std::optional<JobSummary> known = m_jobs->summary(id);
        if (known)
            show(id, known->state);
    }
}

QString PrerequisitesPicker::concern() const
{
    for (const Chip *chip : m_chips) {
        const QString name = shownText(chip->id, Lines::Flatten, 8);
        if (chip->missing || chip->state == JobState::Lost)
            return tr("The job %1 is not there. Remove it, or look for it again.").arg(name);
        if (chip->state == JobState::Failed || chip->state == JobState::Dead)
            return tr("The job %1 ended in an error, so this job would never run.").arg(name);
    }
    return {};
}

} // namespace ym
