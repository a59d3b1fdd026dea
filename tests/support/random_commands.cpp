#include "tests/support/random_commands.h"

#include "tests/support/command_templates.h"

#include <algorithm>
#include <iterator>

namespace ym::test {

RandomCommands::RandomCommands(quint32 seed)
    : m_random(seed)
{
}

QByteArray RandomCommands::key(char kind)
{
    static constexpr char kinds[] = {'s', 'l', 'h', 't', 'z', 'q'};
    if (kind == 'k' || (kind != 'y' && below(25) == 0))
        kind = kinds[below(std::size(kinds))];
    return kind + QByteArray::number(below(4));
}

QByteArray RandomCommands::value()
{
    switch (below(8)) {
    case 0:
        return {};
    case 1:
        return number();
    case 2: {
        QByteArray bytes;
        for (int i = below(20); i > 0; --i)
            bytes.append(char(below(256)));
        return bytes;
    }
    case 3:
        return "line\r\n*1\r\n$4\r\nPING\r\n";
    case 4:
        return QByteArray(60 + below(10), 'x');
    case 5:
        return QByteArray(below(40) == 0 ? 9000 : 260, char('a' + below(3)));
    default:
        return "word" + QByteArray::number(below(10));
    }
}

QByteArray RandomCommands::number()
{
    static constexpr const char *odd[] = {"9223372036854775807",
                                          "-9223372036854775808",
                                          "007",
                                          "-0",
                                          "+1",
                                          " 1",
                                          "1 ",
                                          "9223372036854775808",
                                          "0x10",
                                          "1e3"};
    return below(6) == 0 ? QByteArray(odd[below(std::size(odd))]) : QByteArray::number(below(200) - 100);
}

QByteArray RandomCommands::real()
{
    static constexpr const char *odd[] = {"nan", "inf",   "-inf", "1e20",  "-1.5e-7", "0.1",
                                          "3.0", "1e400", "abc",  "0x1p3", "-0",      "1e17"};
    return below(5) == 0 ? QByteArray(odd[below(std::size(odd))])
                         : QByteArray::number(double(below(4000) - 2000) / 8, 'g', 10);
}

QByteArray RandomCommands::token(char kind)
{
    switch (kind) {
    case 'v':
        return value();
    case 'n':
        return number();
    case 'r':
        return real();
    case 'i':
        return below(30) == 0 ? number() : QByteArray::number(below(14) - 7);
    case 'B':
        return QByteArray::number(below(120));
    case 'c':
        return QByteArray::number(below(6));
    case 'f':
        return below(10) == 0 ? value() : "f" + QByteArray::number(below(12));
    case 'm':
        return below(10) == 0 ? value() : QByteArray(1, char('a' + below(8)));
    case 'b': {
        const QByteArray bound = below(6) == 0 ? QByteArray(below(2) ? "-inf" : "+inf") : real();
        return below(4) == 0 ? '(' + bound : bound;
    }
    case 'x': {
        static constexpr const char *bounds[] = {"-", "+", "[a", "[d", "(b", "(e", "[", "(", "a", "[m15"};
        return bounds[below(std::size(bounds))];
    }
    case 'J':
        return streamId(++m_lastMs);
    case 'j':
        return streamId(std::max(0, m_lastMs - below(150)));
    case 'e':
        return QByteArray::number(4'000'000'000'000 + below(1000));
    case 'p': {
        static constexpr const char *patterns[] = {"*",    "l*",      "?1",  "[sl]*", "[^s]*", "h[0-1]",
                                                   "\\s1", "nothing", "f1*", "*[",    "a",     ""};
        return patterns[below(std::size(patterns))];
    }
    default:
        return key(kind);
    }
}

QByteArray RandomCommands::streamId(int ms)
{
    static constexpr const char *ends[] = {"", "-0", "-3", "-1", "-18446744073709551615"};
    return QByteArray::number(ms) + ends[below(20) == 0 ? 4 : below(4)];
}

RandomCommands::Words RandomCommands::fromTemplate(const char *text)
{
    Words words;
    for (const QByteArray &part : QByteArray(text).split(' ')) {
        if (part == "$S") {
            const ScriptTemplate &row = pick(scriptTemplates());
            words << row.text << fromTemplate(row.words);
        } else {
            words << (part.startsWith('$') && part.size() == 2 ? token(part[1])
                          : part.startsWith("#$")              ? '#' + token(part[2])
                                                               : part);
        }
    }
    return words;
}

/// Makes a command wrong in a way that people do.
void RandomCommands::spoil(Words &words)
{
    // With other numbers these replies would be left to chance, to the clock or to the order of a table.
    const QByteArray verb = words.first();
    if (verb.startsWith("SORT") || verb == "COMMAND" || verb == "FUNCTION" || verb.contains("RAND") || verb == "SPOP"
        || verb.contains("SCAN") || verb.contains("EXPIRE") || verb.contains("EX"))
        return;
    if (words.size() > 1 && words[1].startsWith('y'))
        return; // lexical intervals mean nothing where scores differ
    switch (below(4)) {
    case 0:
        if (words.size() > 1)
            words.removeLast();
        return;
    case 1:
        words.append(value());
        return;
    case 2:
        words[0] = below(2) ? words[0].toLower() : words[0] + "X";
        return;
    default:
        if (words.size() > 1)
            words[1 + below(int(words.size()) - 1)] = value();
    }
}

RandomCommands::Words RandomCommands::command()
{
    Words words = fromTemplate(pick(commandTemplates()));
    if (below(25) == 0)
        spoil(words);
    return words;
}

RandomCommands::Words RandomCommands::blockingCommand()
{
    return fromTemplate(pick(blockingTemplates()));
}

QList<RandomCommands::Words> RandomCommands::transaction()
{
    QList<Words> all;
    if (below(3) == 0)
        all.append({"WATCH", key('k')});
    if (below(4) == 0)
        all.append(command());
    all.append({"MULTI"});
    for (int i = 1 + below(5); i > 0; --i) {
        Words words = below(4) == 0 ? blockingCommand() : command();
        const QByteArray verb = words.first().toUpper();
        if (verb != "EXEC" && verb != "DISCARD") // behind these a blocking command would really block
            all.append(std::move(words));
    }
    all.append({below(8) == 0 ? "DISCARD" : "EXEC"});
    return all;
}

QList<RandomCommands::Words> RandomCommands::next()
{
    if (below(30) == 0)
        return transaction();
    return {command()};
}

bool RandomCommands::isUnordered(const Words &words)
{
    static const QList<QByteArray> verbs{"SMEMBERS", "SINTER", "SUNION",     "SDIFF",      "SPOP", "SRANDMEMBER",
                                         "HGETALL",  "HKEYS",  "HVALS",      "KEYS",       "SCAN", "HSCAN",
                                         "SSCAN",    "ZSCAN",  "HRANDFIELD", "ZRANDMEMBER"};
    return verbs.contains(words.first().toUpper());
}

} // namespace ym::test
