// The view of lines: what is on screen, following the end, selecting, copying, wrapping; never the whole text at once.
#include "models/log_lines.h"
#include "models/output_buffer.h"
#include "tests/ui/dialog_window.h"
#include "ui/theme.h"
#include "ui/widgets/line_view.h"
#include "ui/widgets/text_colours.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>

using namespace ym;
using namespace ym::test;

namespace {

/// As many lines as one likes, that cost nothing; counts who asks for them.
class ManyLines final : public TextLines {
public:
    qint64 lineCount() const override { return count; }
    StyledText styledLine(qint64 line) const override
    {
        ++asked;
        return {QStringLiteral("line %1").arg(line), {}, StyledText::Kind::Normal};
    }
    void grow(qint64 by)
    {
        count += by;
        Q_EMIT linesAppended(count - by, by);
    }
    void drop(qint64 first, qint64 by)
    {
        count -= by;
        Q_EMIT linesDropped(first, by);
    }
    void prepend(qint64 by)
    {
        count += by;
        Q_EMIT linesPrepended(by);
    }
    qint64 count = 0;
    mutable qint64 asked = 0;
};

struct Shown {
    Shown()
    {
        view.resize(640, 400);
        view.showLines(&lines);
        showActive(&view);
        view.setFocus();
    }
    int value() const { return view.verticalScrollBar()->value(); }
    int last() const { return view.verticalScrollBar()->maximum(); }
    ManyLines lines;
    LineView view;
};

OutputChunk chunk(const QByteArray &bytes)
{
    return {"job", 1, OutputChunk::Stream::Out, bytes};
}

} // namespace

class TestLineView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->clear(); }

    void onlyWhatIsOnScreenIsAskedFor()
    {
        Shown shown;
        shown.lines.grow(10'000'000);
        shown.view.grab();
        QCOMPARE(shown.value(), shown.last());
        QVERIFY(shown.view.textOnScreen().contains(QStringLiteral("line 9999999")));
        QVERIFY2(shown.lines.asked < 400, qPrintable(QString::number(shown.lines.asked)));
    }
    void theEndIsFollowedUntilOneScrollsAwayAndAgainWhenOneIsBack()
    {
        Shown shown;
        QSignalSpy following(&shown.view, &LineView::followingChanged);
        shown.lines.grow(1000);
        QTest::keyClick(&shown.view, Qt::Key_PageUp);
        const int away = shown.value();
        QVERIFY(away < shown.last());
        QCOMPARE(following.size(), 1);
        shown.lines.grow(1000);
        QCOMPARE(shown.value(), away);
        QTest::keyClick(&shown.view, Qt::Key_End);
        QCOMPARE(following.size(), 2);
        shown.lines.grow(1000);
        QCOMPARE(shown.value(), shown.last());
        shown.view.setFollowing(false);
        shown.lines.grow(1000);
        QVERIFY(shown.value() < shown.last());
    }
    void whatIsReadStaysWhereItIsWhenLinesComeInFront()
    {
        Shown shown;
        shown.view.setFollowing(false);
        shown.lines.grow(500);
        shown.view.goToLine(100);
        shown.view.select({120, 0}, {120, 4});
        const int before = shown.value();
        shown.lines.prepend(10'000);
        QCOMPARE(shown.value(), before + 10'000);
        QCOMPARE(shown.view.cursor(), (TextPlace{10'120, 4}));
        shown.lines.drop(0, 10'000);
        QCOMPARE(shown.value(), before);
        QCOMPARE(shown.view.cursor(), (TextPlace{120, 4}));
    }
    void aDragSelectsAndCtrlCCopies()
    {
        Shown shown;
        shown.view.setFollowing(false);
        shown.lines.grow(10);
        QWidget *const area = shown.view.viewport();
        const int row = shown.view.fontMetrics().lineSpacing();
        QTest::mousePress(area, Qt::LeftButton, {}, {space::large + 1, space::small + row / 2});
        QTest::mouseMove(area, {space::large + 400, space::small + row + row / 2});
        QTest::mouseRelease(area, Qt::LeftButton, {}, {space::large + 400, space::small + row + row / 2});
        QCOMPARE(shown.view.selectedText(), QStringLiteral("line 0\nline 1"));
        QTest::keyClick(&shown.view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("line 0\nline 1"));
        QTest::keyClick(&shown.view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&shown.view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 9);
    }
    void aDoubleClickSelectsAWordAndAThirdTheLine()
    {
        Shown shown;
        shown.view.setFollowing(false);
        shown.lines.grow(3);
        const QPoint place(space::large + 4, space::small + 4);
        QTest::mouseDClick(shown.view.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(shown.view.selectedText(), QStringLiteral("line"));
        QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(shown.view.selectedText(), QStringLiteral("line 0"));
    }
    void aCopyOfTooMuchIsCutAndSaysSo()
    {
        Shown shown;
        QSignalSpy cut(&shown.view, &LineView::copyWasCut);
        shown.lines.grow(300'000);
        shown.view.selectAll();
        shown.view.copy();
        QCOMPARE(cut.size(), 1);
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 199'999);
    }
    void longLinesAreWrappedWhenAskedTo()
    {
        LineView view;
        view.resize(400, 300);
        view.show();
        view.setFollowing(false);
        view.setBytes(QByteArray(2000, 'x') + "\nend");
        view.grab();
        QTRY_VERIFY(view.horizontalScrollBar()->maximum() > 1000);
        view.setWrapping(true);
        view.grab();
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        view.setFollowing(true);
        QVERIFY(view.grab().toImage() != QImage());
        QVERIFY(view.textOnScreen().contains(QStringLiteral("end")));
    }
    void wideAndCombinedCharactersAreFoundWhereTheyAre_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("wide") << QStringLiteral("日本語 text");
        QTest::newRow("combined") << QString::fromUtf8("e\u0301e\u0301 text");
        QTest::newRow("pictures") << QString::fromUtf8("\U0001f600\U0001f600 text");
        QTest::newRow("tabs") << QStringLiteral("\ta\tb text");
        QTest::newRow("right to left") << QString::fromUtf8("שלום text");
    }
    void wideAndCombinedCharactersAreFoundWhereTheyAre()
    {
        QFETCH(QString, text);
        LineView view;
        view.resize(640, 200);
        view.setFollowing(false);
        view.setBytes(text.toUtf8());
        showActive(&view);
        view.selectAll();
        QCOMPARE(view.selectedText(), text);
        QVERIFY(!view.grab().isNull());
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, {space::large + 2, space::small + 4});
        QVERIFY(text.contains(view.selectedText()));
    }
    void coloursAreThoseOfTheOutput()
    {
        OutputBuffer buffer;
        buffer.follow("job");
        buffer.append(chunk("plain \x1b[31mred \x1b[1;38;2;10;200;30mgreen\x1b[0m plain\n"));
        buffer.append(chunk("\x1b[44mblue ground\nstill blue\x1b[49m\n"));
        QCoreApplication::sendPostedEvents();
        LineView view;
        view.setPalette(themePalette(Brightness::Light));
        view.showLines(&buffer);
        const QColor plain = view.palette().color(QPalette::Text);
        QCOMPARE(buffer.styledLine(0).text, QStringLiteral("plain red green plain"));
        QCOMPARE(view.colourAt({0, 0}), plain);
        QVERIFY(view.colourAt({0, 6}).red() > 150);
        QVERIFY(view.colourAt({0, 10}).green() > view.colourAt({0, 10}).red());
        QCOMPARE(view.colourAt({0, 17}), plain);
        QVERIFY(buffer.styledLine(0).runs.at(1).style.isBold);
        QCOMPARE(buffer.styledLine(1).runs.at(0).style.background, (TextColour{TextColour::Kind::Indexed, 4}));
        QCOMPARE(buffer.styledLine(2).runs.at(0).style.background, (TextColour{TextColour::Kind::Indexed, 4}));
    }
    void everyColourCanBeRead_data()
    {
        QTest::addColumn<int>("brightness");
        QTest::newRow("light") << int(Brightness::Light);
        QTest::newRow("dark") << int(Brightness::Dark);
    }
    void everyColourCanBeRead()
    {
        QFETCH(int, brightness);
        const QPalette palette = themePalette(Brightness(brightness));
        const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
        for (quint32 front = 0; front < 256; ++front) {
            TextStyle style;
            style.foreground = {TextColour::Kind::Indexed, front};
            QVERIFY2(contrast(textPaint(style, text, palette).foreground, base) >= 3, qPrintable(QString::number(front)));
            for (quint32 behind = 0; behind < 256; behind += 15) {
                style.background = {TextColour::Kind::Indexed, behind};
                for (const bool isInverse : {false, true}) {
                    style.isInverse = isInverse;
                    const TextPaint paint = textPaint(style, text, palette);
                    QVERIFY(contrast(paint.foreground, paint.background) >= 3);
                }
            }
        }
    }
    void marksAreFoundOnScreenOnly()
    {
        Shown shown;
        shown.lines.grow(100'000);
        int asked = 0;
        shown.view.setMarks([&asked](const QString &) {
            ++asked;
            return LineView::Marks{{0, 4}};
        });
        shown.view.grab();
        QVERIFY2(asked > 5 && asked < 200, qPrintable(QString::number(asked)));
    }
    void lineSourceMayEndFirst()
    {
        LineView view;
        {
            ManyLines lines;
            lines.grow(10);
            view.showLines(&lines);
            QCOMPARE(view.lineCount(), 10);
        }
        QCOMPARE(view.lineCount(), 0);
        view.grab();
        view.selectAll();
        QVERIFY(view.selectedText().isEmpty());
    }
};

QTEST_MAIN(TestLineView)
#include "tst_line_view.moc"
