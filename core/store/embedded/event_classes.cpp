#include "core/store/embedded/event_classes.h"

#include <cstring>

namespace ym::embedded {

namespace {

constexpr char allClasses[] = "g$lshzxetd"; ///< what `A` stands for

} // namespace

std::optional<EventClasses> EventClasses::read(const QByteArray &letters)
{
    EventClasses classes;
    for (const char letter : letters) {
        if (letter == 'A')
            classes.m_letters += allClasses;
        else if (std::strchr("g$lshzxeKEtmdn", letter) && letter != '\0')
            classes.m_letters += letter;
        else
            return std::nullopt;
    }
    return classes;
}

QByteArray EventClasses::letters() const
{
    QByteArray text;
    for (const char letter : QByteArray(allClasses)) {
        if (m_letters.contains(letter))
            text += letter;
    }
    if (text == allClasses)
        text = "A";
    else if (m_letters.contains('n'))
        text += 'n';
    for (const char letter : {'K', 'E', 'm'}) {
        if (m_letters.contains(letter))
            text += letter;
    }
    return text;
}

char EventClasses::classOf(const char *event)
{
    static constexpr std::pair<const char *, char> rows[] = {
        {"set", '$'},         {"setrange", '$'},  {"setbit", '$'},  {"append", '$'},  {"incrby", '$'},
        {"incrbyfloat", '$'}, {"del", 'g'},       {"expire", 'g'},  {"persist", 'g'}, {"rename_from", 'g'},
        {"rename_to", 'g'},   {"move_from", 'g'}, {"move_to", 'g'}, {"copy_to", 'g'}, {"expired", 'x'},
        {"new", 'n'},         {"sortstore", 'l'}, {"xadd", 't'},    {"xdel", 't'},    {"xtrim", 't'},
        {"xsetid", 't'},
    };
    for (const auto &[name, letter] : rows) {
        if (std::strcmp(name, event) == 0)
            return letter;
    }
    // Events of collections begin with the letter of their type, but for those of a list's right end.
    return *event == 'r' ? 'l' : *event;
}

} // namespace ym::embedded
