// The window under a flood of output, and a log of 1 GiB: gaps between frames of the GUI thread, and memory.
#include "core/base/memory.h"
#include "models/log_search.h"
#include "models/log_lines.h"
#include "tests/support/memory.h"
#include "tests/ui/real_window.h"
#include "ui/detail/log_search_bar.h"
#include "ui/widgets/line_view.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdio>

using namespace ym;
using namespace ym::test;

namespace {

/// Repaints a widget sixty times a second and notes how late each frame is done.
class Frames {
public:
    explicit Frames(QWidget *widget)
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(16);
        QObject::connect(&m_timer, &QTimer::timeout, widget, [this, widget] {
            widget->repaint();
            if (m_clock.isValid())
                m_gaps.push_back(double(m_clock.nsecsElapsed()) / 1e6);
            m_clock.start();
            m_peakMiB = std::max(m_peakMiB, residentMiB());
        });
        m_timer.start();
    }
    void report(const char *what)
    {
        std::sort(m_gaps.begin(), m_gaps.end());
        const auto at = [this](double share) { return m_gaps.empty() ? 0.0 : m_gaps[size_t(double(m_gaps.size() - 1) * share)]; };
        std::printf("%-34s %5zu frames  p50 %5.1f ms  p99 %5.1f ms  worst %5.1f ms  peak RSS %4lld MiB\n", what, m_gaps.size(),
                    at(0.5), at(0.99), at(1), m_peakMiB);
        std::fflush(stdout);
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_gaps;
    qint64 m_peakMiB = 0;
};

void waitFor(const std::function<bool()> &isDone, int ms = 120'000)
{
    if (!QTest::qWaitFor(isDone, ms))
        qFatal("it took too long");
}

QByteArray submitted(RealWindow &real, const QByteArray &script)
{
    Job job;
    job.target.type = "python";
    job.script = script;
    const auto receipt = real.session()->submit(job);
    waitFor([&] { return receipt.isFinished(); });
    const QByteArray id = receipt.result()->id;
    waitFor([&] { return real.jobs()->rowOf(id) >= 0; });
    return id;
}

/// A job that writes `rate` MB/s for some seconds, in lines of 80 bytes.
QByteArray flood(int rate, int seconds)
{
    return "import os, time\n"
           "block = (b'x' * 79 + b'\\n') * 800\n"
           "end = time.monotonic() + " + QByteArray::number(seconds) + "\n"
           "begun, sent = time.monotonic(), 0\n"
           "while time.monotonic() < end:\n"
           "    sent += os.write(1, block)\n"
           "    ahead = sent / " + QByteArray::number(rate) + "e6 - (time.monotonic() - begun)\n"
           "    if ahead > 0.002: time.sleep(ahead)\n"
           "os.write(2, b'%.0f MB/s' % (sent / 1e6 / (time.monotonic() - begun)))\n";
}

void underFlood(RealWindow &real, int rate, int seconds)
{
    const QByteArray id = submitted(real, flood(rate, seconds));
    real.window.workspace()->openJob(id);
    real.window.showDetailTab(2);
    waitFor([&] { return real.stateOf(id) == JobState::Running; });
    const qint64 before = residentMiB();
    {
        Frames frames(&real.window);
        waitFor([&] { return isTerminal(real.stateOf(id)); });
        const QString name = QStringLiteral("a job writes %1 MB/s").arg(rate);
        frames.report(qPrintable(name));
    }
    const auto detail = real.session()->job(id);
    waitFor([&] { return detail.isFinished(); });
    const QList<PastRun> runs = detail.result()->job.runs;
    std::printf("%-34s it wrote %s; RSS before %lld MiB, after %lld MiB\n", "", runs.isEmpty() ? "?" : runs.last().error.constData(),
                before, residentMiB());
}

void quiet(RealWindow &real)
{
    Frames frames(&real.window);
    QElapsedTimer timer;
    timer.start();
    waitFor([&] { return timer.elapsed() > 3000; });
    frames.report("nothing happens");
}

void largeLog(const QString &path)
{
    QByteArray block;
    for (int i = 0; block.size() < (8 << 20); ++i)
        block += "2026-11-21 12:00:00 INFO request " + QByteArray::number(i * 7919 % 100'003) + " was answered in 12 ms\n";
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no room for the log");
        while (file.size() < (qint64(1) << 30))
            file.write(block);
        file.write("the needle\n");
    }
    OpenLog log{std::make_shared<QFile>(path), 1};
    log.file->open(QIODevice::ReadOnly);
    QWidget window;
    auto *const view = new LineView(&window);
    auto *const column = new QVBoxLayout(&window);
    LogLines lines;
    auto *const bar = new LogSearchBar(&lines, view, &window);
    column->addWidget(bar);
    column->addWidget(view);
    window.resize(1000, 700);
    showActive(&window);
    const qint64 before = residentMiB();
    QElapsedTimer timer;
    timer.start();
    view->showLines(&lines);
    lines.open(log);
    view->repaint();
    std::printf("%-34s the end is on screen after %.1f ms\n", "a log of 1 GiB", double(timer.nsecsElapsed()) / 1e6);
    {
        Frames frames(&window);
        waitFor([&] { return lines.isComplete(); });
        std::printf("%-34s all %lld lines after %lld ms\n", "", lines.lineCount(), timer.elapsed());
        frames.report("  while it is gone through");
    }
    for (const char *pattern : {"the needle", "request 1234[0-9] was", "a.*e.*i.*o", "request"}) {
        Frames frames(&window);
        LogSearch search;
        qint64 first = -1;
        QObject::connect(&search, &LogSearch::changed, &search, [&] {
            if (first < 0 && search.matchingRows() > 0)
                first = timer.elapsed();
        });
        timer.start();
        search.start(lines.file(), lines.fileSize(), LogSearch::expressionOf({QString::fromLatin1(pattern), LogSearch::Query::Kind::Expression}));
        waitFor([&] { return !search.isRunning(); });
        std::printf("%-34s \"%s\": %lld lines in %lld ms, the first after %lld ms\n", "  searched", pattern,
                    search.matchingRows(), timer.elapsed(), first);
        frames.report("  while it is searched");
    }
    std::printf("%-34s RSS before %lld MiB, after %lld MiB\n", "", before, residentMiB());
    QFile::remove(path);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    giveBackLargeBlocks(); // as the application does
    QApplication application(argc, argv);
    const QByteArray part = argc > 1 ? argv[1] : ""; // "flood", "log", or both
    if (part != "log") {
        RealWindow real;
        real.openLocal();
        real.startPythonWorker(1);
        quiet(real);
        for (const int rate : {20, 200, 200, 200}) // again and again: memory is to stay where it is
            underFlood(real, rate, 8);
        quiet(real);
    }
    if (part == "flood")
        return 0;
    const QTemporaryDir folder;
    largeLog(folder.filePath(QStringLiteral("log")));
    return 0;
}
