// From the start of the process to the first painted frame: our window on the real core against an empty QMainWindow.
// Starts itself again for every sample, in turn, and prints medians and their ratio.
#include "core/engine/engine_connections.h"
#include "tests/support/memory_secrets.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"

#include <QApplication>
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

/// Says "painted" and ends the program when the window has its first frame.
class FirstFrame final : public QObject {
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

private:
    void tell()
    {
        if (std::exchange(m_told, true))
            return;
        std::puts("painted");
        std::fflush(stdout);
        QCoreApplication::quit();
    }
    bool m_told = false;
};

int showBare(QApplication &)
{
    QMainWindow window;
    window.resize(1280, 800);
    const FirstFrame frame(&window);
    window.show();
    return QApplication::exec();
}

int showOurs(QApplication &application)
{
    const QTemporaryDir folder;
    UiSettings settings({folder.filePath(QStringLiteral("window.ini")), folder.filePath(QStringLiteral("drafts"))});
    const Theme theme(&application, &settings);
    MemorySecrets secrets;
    EngineConnections connections(
        {{folder.filePath(QStringLiteral("config")), folder.filePath(QStringLiteral("data"))}, Milliseconds{0}},
        &secrets);
    MainWindow window(&connections, &settings);
    window.resize(1280, 800);
    const FirstFrame frame(&window);
    window.show();
    return QApplication::exec();
}

/// Milliseconds from the start of a process to its word.
double sample(const QString &program, const QString &which)
{
    QElapsedTimer time;
    QProcess process;
    process.start(program, {QStringLiteral("--show"), which});
    time.start();
    QByteArray word;
    while (!word.contains("painted") && process.waitForReadyRead(20000))
        word += process.readAllStandardOutput();
    const double ms = double(time.nsecsElapsed()) / 1e6;
    if (!word.contains("painted"))
        qFatal("the window was not painted");
    process.waitForFinished(20000);
    return ms;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && qstrcmp(argv[1], "--show") == 0) {
        QApplication application(argc, argv);
        return qstrcmp(argv[2], "bare") == 0 ? showBare(application) : showOurs(application);
    }
    const QCoreApplication application(argc, argv);
    if (!qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QString program = QCoreApplication::applicationFilePath();
    std::vector<double> bare;
    std::vector<double> ours;
    for (int i = 0; i < samples; ++i) {
        bare.push_back(sample(program, QStringLiteral("bare")));
        ours.push_back(sample(program, QStringLiteral("ours")));
    }
    const double ratio = median(ours) / median(bare);
    QTextStream(stdout) << "process start to first frame, median of " << samples << "\n"
                        << "empty QMainWindow  " << QString::number(median(bare), 'f', 1) << " ms\n"
                        << "Yardmaster         " << QString::number(median(ours), 'f', 1) << " ms\n"
                        << "ratio              " << QString::number(ratio, 'f', 2)
                        << (ratio <= goal ? "  goal met" : "  GOAL MISSED") << " (at most " << goal << ")\n";
    return argc > 1 && qstrcmp(argv[1], "--check") == 0 && ratio > goal ? 1 : 0;
}
