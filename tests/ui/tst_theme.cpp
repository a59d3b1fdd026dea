// What the look promises: contrast in both brightnesses, icons that exist, settings that are followed.
#include "tests/support/window_fixture.h"

#include <QDir>

using namespace ym;
using namespace ym::test;

namespace {

constexpr double wantedContrast = 4.5; // WCAG 2 AA

const std::array<QPalette::ColorRole, 4> grounds{QPalette::Window, QPalette::Base, QPalette::AlternateBase,
                                                 QPalette::Highlight};

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyColourWithAMeaningCanBeRead_data()
    {
        QTest::addColumn<int>("brightness");
        QTest::newRow("light") << int(Brightness::Light);
        QTest::newRow("dark") << int(Brightness::Dark);
    }
    void everyColourWithAMeaningCanBeRead()
    {
        QFETCH(int, brightness);
        const QPalette palette = themePalette(Brightness(brightness));
        QCOMPARE(int(brightnessOf(palette)), brightness);
        QList<std::pair<QString, QColor>> colours{{QStringLiteral("secondary"), secondaryColour(palette)},
                                                  {QStringLiteral("accent"), accentColour(palette)},
                                                  {QStringLiteral("text"), palette.color(QPalette::Text)}};
        for (int i = 0; i < jobStateCount; ++i)
            colours.append({stateWord(JobState(i)), stateColour(JobState(i), palette)});
        for (int i = 0; i <= int(Signal::Off); ++i)
            colours.append({QStringLiteral("signal %1").arg(i), signalColour(Signal(i), palette)});
        for (const auto &[name, colour] : std::as_const(colours)) {
            for (const QPalette::ColorRole ground : grounds) {
                const double reached = contrast(colour, palette.color(QPalette::Active, ground));
                QVERIFY2(reached >= wantedContrast,
                         qPrintable(QStringLiteral("%1 on role %2: %3").arg(name).arg(ground).arg(reached)));
            }
        }
    }
    void theMainButtonCanBeRead()
    {
        for (const Brightness brightness : {Brightness::Light, Brightness::Dark}) {
            const QPalette palette = themePalette(brightness);
            QVERIFY(contrast(palette.color(QPalette::BrightText), accentColour(palette)) >= wantedContrast);
        }
    }
    void contrastFollowsTheStandard()
    {
        QCOMPARE(qRound(contrast(Qt::black, Qt::white)), 21);
        QCOMPARE(qRound(contrast(Qt::white, Qt::white)), 1);
    }
    void theChosenThemeIsAppliedAtOnce()
    {
        WindowFixture fixture;
        fixture.settings->setTheme(ThemeChoice::Dark);
        fixture.open();
        QCOMPARE(brightnessOf(qApp->palette()), Brightness::Dark);
        fixture.action("theme.light")->trigger();
        QCOMPARE(fixture.settings->theme(), ThemeChoice::Light);
        QCOMPARE(brightnessOf(qApp->palette()), Brightness::Light);
        QVERIFY(fixture.action("theme.light")->isChecked());
        QVERIFY(!fixture.action("theme.dark")->isChecked());
    }
    void iconsTakeTheColourTheyAreAskedFor()
    {
        const QImage image = tintedIcon("add", QColor(10, 200, 30), 16, 1.0).toImage();
        bool isDrawn = false;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() < 250)
                    continue;
                isDrawn = true;
                QCOMPARE(pixel.rgb(), QColor(10, 200, 30).rgb());
            }
        }
        QVERIFY(isDrawn);
    }
    void everyActionHasTheIconItNames()
    {
        WindowFixture fixture;
        fixture.open();
        for (const QAction *const action : fixture.window->actions()->actions()) {
            const ActionSpec &spec = *fixture.window->actions()->spec(action);
            QVERIFY2(spec.icon.isEmpty() || !themeIcon(spec.icon).isNull(), spec.icon.constData());
        }
        QVERIFY(themeIcon("no such icon").isNull());
    }
    void noTwoActionsShareAKey()
    {
        WindowFixture fixture;
        fixture.open();
        QHash<QKeySequence, QString> owners;
        for (const QAction *const action : fixture.window->actions()->actions()) {
            for (const QKeySequence &key : action->shortcuts()) {
                QVERIFY2(!owners.contains(key),
                         qPrintable(key.toString() + QStringLiteral(": ") + action->objectName()));
                owners.insert(key, action->objectName());
            }
        }
        QVERIFY(owners.size() > 15);
    }
    void brokenSettingsAreSetAside()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window.ini"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("\0\1\2 not settings \0", 19));
        file.close();
        const UiSettings settings({path, folder.path()});
        QVERIFY(settings.wasCorrupt());
        QVERIFY(QFile::exists(path + QStringLiteral(".corrupt")));
        QCOMPARE(settings.theme(), ThemeChoice::System);
    }
    void oddValuesCountAsDefaults_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("words for a number") << QByteArray("[look]\ncodeFontSize=big\ntheme=purple\n");
        QTest::newRow("a number out of range") << QByteArray("[look]\ncodeFontSize=4000\ntheme=7\n");
        QTest::newRow("nothing") << QByteArray();
    }
    void oddValuesCountAsDefaults()
    {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window.ini"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const UiSettings settings({path, folder.path()});
        QCOMPARE(settings.codeFontSize(), 10);
        QCOMPARE(settings.theme(), ThemeChoice::System);
        QCOMPARE(settings.lastPage(), QByteArray("jobs"));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
