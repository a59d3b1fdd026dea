#include "ui/palette/fuzzy.h"

namespace ym {

namespace {

constexpr int forLetter = 2;
constexpr int forWordStart = 12;
constexpr int forRun = 8;
constexpr int forWholeBeginning = 16;

bool startsWord(QStringView text, qsizetype position)
{
    if (position == 0)
        return true;
    const QChar before = text[position - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[position].isUpper());
}

/// Where the letters are found when each is taken as early as possible from `start` on.
std::optional<QList<int>> positionsFrom(QStringView typed, QStringView text, qsizetype start)
{
    QList<int> positions;
    qsizetype at = start;
    for (const QChar letter : typed) {
        if (letter.isSpace())
            continue;
        while (at < text.size() && text[at].toCaseFolded() != letter.toCaseFolded())
            ++at;
        if (at == text.size())
            return std::nullopt;
        positions.append(int(at++));
    }
    return positions;
}

int scoreOf(const QList<int> &positions, QStringView text)
{
    int score = 0;
    for (qsizetype i = 0; i < positions.size(); ++i) {
        score += forLetter;
        if (startsWord(text, positions[i]))
            score += forWordStart;
        if (i > 0 && positions[i] == positions[i - 1] + 1)
            score += forRun;
    }
    if (!positions.isEmpty() && positions.first() == 0)
        score += forWholeBeginning;
    return score - int(std::min<qsizetype>(text.size(), 60)) / 6;
}

} // namespace

std::optional<FuzzyHit> fuzzyMatch(QStringView typed, QStringView text)
{
    const QStringView trimmed = typed.trimmed();
    if (trimmed.isEmpty())
        return FuzzyHit();
    std::optional<FuzzyHit> best;
    for (qsizetype start = 0; start < text.size(); ++start) {
        if (text[start].toCaseFolded() != trimmed.first().toCaseFolded())
            continue;
        const auto positions = positionsFrom(trimmed, text, start);
        if (!positions)
            break;
        const int score = scoreOf(*positions, text);
        if (!best || score > best->score)
            best = FuzzyHit{score, *positions};
    }
    return best;
}

} // namespace ym
