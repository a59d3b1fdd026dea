#include "ui/dialogs/drafts/draft_keeper.h"

#include "core/base/text.h"
#include "core/engine/session.h"
#include "ui/dialogs/parts/dialog_button.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/prompts.h"
#include "ui/ui_settings.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>

namespace ym {

namespace {

constexpr int delayMs = 500;
constexpr qsizetype longestOffer = 60;

} // namespace

DraftKeeper::DraftKeeper(const Session *session, const UiSettings *settings, DraftStore::Kind kind,
                         std::function<std::vector<Draft::Part>()> parts, QWidget *window)
    : QObject(window)
    , m_store(settings->draftsFolder(), kind)
    , m_kind(kind)
    , m_profileId(session->profile().id)
    , m_parts(std::move(parts))
    , m_state(plainLabel({}, window))
    , m_offerText(plainLabel({}, window))
    , m_offerBar(makeOffer(window))
{
    m_state->setObjectName(QStringLiteral("draftState"));
    m_state->setToolTip(
        tr("Drafts are kept in your own folder, readable only by you, with the values of the environment."));
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &DraftKeeper::keep);
}

QFrame *DraftKeeper::makeOffer(QWidget *window)
{
    auto *const bar = new QFrame(window);
    bar->setObjectName(QStringLiteral("draftOffer"));
    bar->setFrameShape(QFrame::StyledPanel);
    m_offerText->setObjectName(QStringLiteral("draftOfferText"));
    QPushButton *const take = dialogButton(tr("Continue &it"), "takeDraft", window);
    QPushButton *const discardIt = dialogButton(tr("Discard it"), "discardDraft", window);
    QPushButton *const later = dialogButton(tr("Later"), "laterDraft", window);
    auto *const row = new QHBoxLayout(bar);
    row->setContentsMargins(14, 8, 12, 8);
    row->addWidget(m_offerText, 1);
    for (QPushButton *button : {take, discardIt, later})
        row->addWidget(button);
    connect(take, &QPushButton::clicked, this, &DraftKeeper::recover);
    connect(discardIt, &QPushButton::clicked, this, [this] {
        m_offer->file->discard();
        endOffer();
    });
    connect(later, &QPushButton::clicked, this, &DraftKeeper::endOffer);
    bar->hide();
    return bar;
}

QWidget *DraftKeeper::offerBar() const
{
    return m_offerBar;
}

void DraftKeeper::edited()
{
    m_isModified = true;
    m_asks = true;
    m_state->clear();
    m_timer.start();
}

void DraftKeeper::clear()
{
    m_isModified = false;
    m_asks = false;
    m_timer.stop();
}

void DraftKeeper::discard()
{
    clear();
    m_state->clear();
    if (m_file)
        m_file->discard();
}

void DraftKeeper::keepLast()
{
    if (m_timer.isActive())
        keep();
}

void DraftKeeper::keep()
{
    m_timer.stop();
    if (!m_isModified)
        return;
    if (!m_file)
        m_file = m_store.create();
    const Result<void> saved = m_file
        ? m_file->save({m_profileId, m_parts(), {}})
        : failure(ErrorKind::Io, tr("The draft could not be kept."), tr("Save the script to a file of your own."));
    setTone(m_state, saved ? Tone::Dim : Tone::Problem);
    m_state->setText(saved ? tr("Draft kept") : saved.error().message);
}

void DraftKeeper::offer()
{
    if (m_isModified)
        return;
    m_offer = m_store.takeAbandoned(m_profileId);
    if (!m_offer)
        return;
    m_offerText->setText(offerText(m_offer->draft));
    m_offerBar->show();
}

QString DraftKeeper::offerText(const Draft &draft) const
{
    const QString when = QLocale().toString(draft.savedAt.toLocalTime(), QLocale::ShortFormat);
    if (m_kind == DraftStore::Kind::Job) {
        const QByteArray firstLine = draft.parts.front().job.script.trimmed().split('\n').value(0);
        return tr("A draft from %1 was not submitted: %2")
            .arg(when, shownText(firstLine, Lines::Flatten, longestOffer));
    }
    QStringList names;
    for (const Draft::Part &part : draft.parts)
        names.append(part.name);
    return tr("A graph from %1 was not submitted: %2")
        .arg(when, shownText(names.join(QStringLiteral(", ")).toUtf8(), Lines::Flatten, longestOffer));
}

void DraftKeeper::recover()
{
    if (!m_offer)
        return;
    keepLast();
    if (m_isModified)
        m_file.reset(); // what is here now stays on disk and is offered the next time
    Q_EMIT recovered(m_offer->draft);
    m_file = std::move(m_offer->file);
    m_isModified = true;
    m_asks = true;
    endOffer();
}

void DraftKeeper::endOffer()
{
    m_offer.reset();
    m_offerBar->hide();
    Q_EMIT offerEnded();
}

void DraftKeeper::askBeforeClosing(const QString &title, const QString &text, std::function<void()> close)
{
    const auto end = [this, close = std::move(close)] {
        clear();
        m_file.reset();
        m_offer.reset();
        close();
    };
    if (!m_asks) {
        if (m_file)
            m_file->discard();
        return end();
    }
    keep();
    Question question;
    question.title = title;
    question.text = text;
    question.answers = {tr("Keep as draft"), tr("Discard")};
    Prompts::instance().ask(qobject_cast<QWidget *>(parent()), question, [this, end](int answer) {
        if (answer < 0)
            return;
        if (answer == 1 && m_file)
            m_file->discard();
        end();
    });
}

} // namespace ym
