#include "core/protocol/hero/refusals.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <QCoreApplication>

namespace ym::hero {

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroProducer", text);
}

/// What a script refused, by the word it answered with.
struct RefusalRow {
    const char *word;
    ErrorKind kind;
    const char *message;
    const char *advice;
};

constexpr RefusalRow refusalRows[] = {
    {"differs", ErrorKind::Conflict,
     QT_TRANSLATE_NOOP("ym::HeroProducer", "A job with the id %1 exists already and has other content."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Use another id.")},
    {"invalid", ErrorKind::WrongType, QT_TRANSLATE_NOOP("ym::HeroProducer", "The key %2 holds another type of value."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Remove or rename that key.")},
    {"missing", ErrorKind::NotFound, QT_TRANSLATE_NOOP("ym::HeroProducer", "These prerequisites do not exist: %2."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Submit them first, or take them out.")},
    {"failed", ErrorKind::Conflict, QT_TRANSLATE_NOOP("ym::HeroProducer", "The prerequisite %2 failed."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Retry it first, or take it out.")},
    {"cycle", ErrorKind::Usage, QT_TRANSLATE_NOOP("ym::HeroProducer", "The prerequisites form a circle: %2."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Take one of them out.")},
    {"tooMany", ErrorKind::TooLarge, QT_TRANSLATE_NOOP("ym::HeroProducer", "More than 10000 jobs stand before %1."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Wait until some have finished.")},
    {"gone", ErrorKind::NotFound, QT_TRANSLATE_NOOP("ym::HeroProducer", "There is no job %1."), ""},
    {"running", ErrorKind::Conflict, QT_TRANSLATE_NOOP("ym::HeroProducer", "The job %1 is running."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Stop it first.")},
    {"lost", ErrorKind::Unavailable,
     QT_TRANSLATE_NOOP("ym::HeroProducer", "The jobs took too long to send and were dropped; none of them is there."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Submit them again.")},
    {"over", ErrorKind::Conflict, QT_TRANSLATE_NOOP("ym::HeroProducer", "The job %1 is over already."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Retry it instead.")},
    {"changed", ErrorKind::Conflict, QT_TRANSLATE_NOOP("ym::HeroProducer", "The job %1 has moved on meanwhile."),
     QT_TRANSLATE_NOOP("ym::HeroProducer", "Look at it again.")},
    {"notOver", ErrorKind::Conflict, QT_TRANSLATE_NOOP("ym::HeroProducer", "The job %1 is not over yet."), ""},
};

} // namespace

QString shownId(const QByteArray &id)
{
    return shownText(id, Lines::Flatten, 80);
}

QString shownIds(const QList<QByteArray> &ids)
{
    QStringList list;
    for (const QByteArray &id : ids)
        list.append(shownId(id));
    return list.join(QStringLiteral(", "));
}

void checkAnswer(const QByteArray &id, const QList<QByteArray> &answer)
{
    for (const RefusalRow &row : refusalRows) {
        if (answer.constFirst() != row.word)
            continue;
        const QString text = say(row.message);
        const QString about = shownIds(answer.mid(1));
        throw StoreError(row.kind,
                         text.contains(QLatin1String("%2")) ? QString(text).replace(QLatin1String("%2"), about)
                                                            : text.arg(shownId(id)),
                         *row.advice ? say(row.advice) : QString());
    }
}

} // namespace ym::hero
