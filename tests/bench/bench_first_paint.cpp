// From the start of the process to the first painted frame: our window on the real core against an empty QMainWindow.
// Starts itself again for every sample, in turn, and prints medians and their ratio; and how long it takes until the
// parts are made that the first frame does not show.
#include "core/engine/engine_connections.h"
#include "tests/support/memory_secrets.h"
#include "ui/font_reading.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTextStream>

#include <algorithm>
#include <cstdio>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int samples = 15;
constexpr double goal = 2.0;

void say(const char *word)
{
    std::puts(word);
    std::fflush(stdout);
}

/// Says "painted" when the window has its first frame.
class FirstFrame final : public QObject {
    Q_OBJECT
public:
    explicit FirstFrame(QWidget *window)
        : QObject(window)
    {
        window->installEventFilter(this);
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint)
            QMetaObject::invokeMethod(this, &FirstFrame::tell, Qt::QueuedConnection); // behind the paint itself
        return false;
    }

Q_SIGNALS:
    void painted();

private:
    void tell()
    {
        if (std::exchange(m_told, true))
            return;
        say("painted");
        Q_EMIT painted();
    }
    bool m_told = false;
};

int showBare(int argc, char **argv)
{
    QApplication application(argc, argv);
    QMainWindow window;
    window.resize(1280, 800);
    const FirstFrame frame(&window);
    QObject::connect(&frame, &FirstFrame::painted, &application, &QCoreApplication::quit);
    window.show();
    return QApplication::exec();
}

/// What the program does when it opens its window.
int showOurs(int argc, char **argv, const QDir &folder)
{
    beginReadingFonts();
    QApplication application(argc, argv);
    UiSettings settings({folder.filePath(QStringLiteral("window.ini")), folder.filePath(QStringLiteral("drafts"))});
    const Theme theme(&application, &settings);
    MemorySecrets secrets;
    EngineConnections connections(
        {{folder.filePath(QStringLiteral("config")), folder.filePath(QStringLiteral("data"))}, Milliseconds{0}},
        &secrets);
    MainWindow window(&connections, &settings, Build::AfterFirstFrame);
    window.resize(1280, 800);
    const FirstFrame frame(&window);
    QObject::connect(&window, &MainWindow::completed, &application, [] {
        say("completed");
        QCoreApplication::quit();
    });
    window.show();
    return QApplication::exec();
}

/// Milliseconds from the start of a process to its words.
struct Sample {
    double painted = 0;
    double completed = 0; ///< 0 when it does not say so
};

Sample sample(const QString &program, const QString &which)
{
    const QTemporaryDir folder; // of the window's own, as a home folder is there before it
    QElapsedTimer time;
    QProcess process;
    process.start(program, {QStringLiteral("--show"), which, folder.path()});
    time.start();
    const auto now = [&time] { return double(time.nsecsElapsed()) / 1e6; };
    Sample taken;
    QByteArray words;
    while (process.waitForReadyRead(20000)) {
        words += process.readAllStandardOutput();
        if (taken.painted == 0 && words.contains("painted"))
            taken.painted = now();
        if (taken.completed == 0 && words.contains("completed"))
            taken.completed = now();
    }
    if (taken.painted == 0)
        qFatal("the window was not painted");
    process.waitForFinished(20000);
    return taken;
}

std::vector<double> sorted(const std::vector<Sample> &taken, double Sample::*what)
{
    std::vector<double> values;
    for (const Sample &one : taken)
        values.push_back(one.*what);
    std::sort(values.begin(), values.end());
    return values;
}

double median(const std::vector<Sample> &taken, double Sample::*what)
{
    return sorted(taken, what)[taken.size() / 2];
}

/// On a busy machine it says more than the median.
double fastest(const std::vector<Sample> &taken, double Sample::*what)
{
    return sorted(taken, what).front();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 3 && qstrcmp(argv[1], "--show") == 0)
        return qstrcmp(argv[2], "bare") == 0 ? showBare(argc, argv) : showOurs(argc, argv, QDir(QFile::decodeName(argv[3])));
    const QCoreApplication application(argc, argv);
    if (!qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QString program = QCoreApplication::applicationFilePath();
    std::vector<Sample> bare;
    std::vector<Sample> ours;
    for (int i = 0; i < samples; ++i) {
        bare.push_back(sample(program, QStringLiteral("bare")));
        ours.push_back(sample(program, QStringLiteral("ours")));
    }
    const double floor = median(bare, &Sample::painted);
    const double first = median(ours, &Sample::painted);
    const auto ms = [](double value) { return QString::number(value, 'f', 1) + QStringLiteral(" ms\n"); };
    QTextStream(stdout) << "process start to first frame, median of " << samples << "\n"
                        << "empty QMainWindow  " << ms(floor) << "Yardmaster         " << ms(first)
                        << "ratio              " << QString::number(first / floor, 'f', 2)
                        << (first / floor <= goal ? "  goal met" : "  GOAL MISSED") << " (at most " << goal << ")\n"
                        << "ratio of fastest   "
                        << QString::number(fastest(ours, &Sample::painted) / fastest(bare, &Sample::painted), 'f', 2)
                        << "\n"
                        << "every part made    " << ms(median(ours, &Sample::completed));
    return argc > 1 && qstrcmp(argv[1], "--check") == 0 && first / floor > goal ? 1 : 0;
}

#include "bench_first_paint.moc"
