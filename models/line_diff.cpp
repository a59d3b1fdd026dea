#include "models/line_diff.h"

#include "core/base/terminal_filter.h"
#include "models/row_split.h"
#include "models/styled_text.h"

#include <QHash>

#include <algorithm>
#include <optional>

namespace ym {

namespace {

constexpr qsizetype mostBytes = 4 << 20;
constexpr size_t mostLines = 20'000;
constexpr int mostDifferences = 1'000;

enum class Step : quint8 { Keep, Remove, Add };

struct Side {
    QStringList lines;
    bool isCut = false;
};

Side sideOf(const QByteArray &bytes)
{
    Side side;
    TerminalFilter filter;
    const QByteArray text = filter.feed(bytes.left(mostBytes));
    side.isCut = bytes.size() > mostBytes;
    TextStyle style;
    for (qsizetype at = 0; at < text.size();) {
        if (size_t(side.lines.size()) == mostLines) {
            side.isCut = true;
            break;
        }
        const Row row = rowAt(text, at);
        QByteArrayView line = QByteArrayView(text).sliced(at, row.end - at);
        while (line.endsWith('\r'))
            line.chop(1);
        side.lines.append(styledText(line.sliced(line.lastIndexOf('\r') + 1), style).text);
        at = row.next;
    }
    return side;
}

/// Numbers for lines, equal ones the same, so that comparing is cheap.
std::vector<int> numbered(const QStringList &lines, QHash<QString, int> &numbers)
{
    std::vector<int> list;
    list.reserve(size_t(lines.size()));
    for (const QString &line : lines) {
        const auto found = numbers.constFind(line);
        list.push_back(found != numbers.cend() ? *found : *numbers.insert(line, int(numbers.size())));
    }
    return list;
}

using Numbers = std::vector<int>;

/// The shortest way from a to b as a list of steps; nothing when it has more than `mostDifferences` differences.
std::optional<std::vector<Step>> shortest(const Numbers &a, const Numbers &b)
{
    const int n = int(a.size()), m = int(b.size());
    const int limit = std::min(n + m, mostDifferences);
    std::vector<int> furthest(size_t(2 * limit + 3), 0); // by diagonal, shifted by limit + 1
    std::vector<std::vector<int>> history;
    const auto at = [&](std::vector<int> &v, int k) -> int & { return v[size_t(k + limit + 1)]; };
    for (int d = 0; d <= limit; ++d) {
        history.emplace_back(furthest.begin() + (limit + 1 - d - 1), furthest.begin() + (limit + 1 + d + 2));
        for (int k = -d; k <= d; k += 2) {
            const bool isDown = k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
            int x = isDown ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
            int y = x - k;
            while (x < n && y < m && a[size_t(x)] == b[size_t(y)])
                ++x, ++y;
            at(furthest, k) = x;
            if (x < n || y < m)
                continue;
            std::vector<Step> steps;
            for (int back = d; back >= 0; --back) {
                const std::vector<int> &row = history[size_t(back)]; // diagonals -back-1 … back+1 as they were before
                const auto was = [&](int diagonal) { return row[size_t(diagonal + back + 1)]; };
                const int diagonal = x - y;
                const bool wasDown = diagonal == -back || (diagonal != back && was(diagonal - 1) < was(diagonal + 1));
                const int from = wasDown ? diagonal + 1 : diagonal - 1;
                const int fromX = back == 0 ? 0 : was(from), fromY = back == 0 ? 0 : fromX - from;
                while (x > fromX && y > fromY) {
                    steps.push_back(Step::Keep);
                    --x, --y;
                }
                if (back > 0) {
                    steps.push_back(wasDown ? Step::Add : Step::Remove);
                    x = fromX;
                    y = fromY;
                }
            }
            std::reverse(steps.begin(), steps.end());
            return steps;
        }
    }
    return std::nullopt;
}

} // namespace

LineDiff compareLines(const QByteArray &before, const QByteArray &after)
{
    const Side left = sideOf(before), right = sideOf(after);
    QHash<QString, int> numbers;
    const Numbers a = numbered(left.lines, numbers), b = numbered(right.lines, numbers);
    const size_t common = std::min(a.size(), b.size());
    size_t head = 0, tail = 0;
    while (head < common && a[head] == b[head])
        ++head;
    while (tail < common - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    const Numbers middleA(a.begin() + std::ptrdiff_t(head), a.end() - std::ptrdiff_t(tail));
    const Numbers middleB(b.begin() + std::ptrdiff_t(head), b.end() - std::ptrdiff_t(tail));

    LineDiff diff;
    diff.isCut = left.isCut || right.isCut;
    auto steps = shortest(middleA, middleB);
    if (!steps) {
        diff.isRough = true;
        steps = std::vector<Step>(middleA.size(), Step::Remove);
        steps->insert(steps->end(), middleB.size(), Step::Add);
    }
    qsizetype x = 0, y = 0;
    const auto keep = [&](size_t count) {
        for (size_t i = 0; i < count; ++i, ++x, ++y)
            diff.lines.push_back({left.lines[x], {}, StyledText::Kind::Normal});
    };
    keep(head);
    for (const Step step : *steps) {
        if (step == Step::Keep) {
            keep(1);
        } else if (step == Step::Remove) {
            diff.lines.push_back({left.lines[x++], {}, StyledText::Kind::Removed});
            ++diff.removed;
        } else {
            diff.lines.push_back({right.lines[y++], {}, StyledText::Kind::Added});
            ++diff.added;
        }
    }
    keep(tail);
    return diff;
}

} // namespace ym
