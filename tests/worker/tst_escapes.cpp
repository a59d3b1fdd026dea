// What scripts try in order to get out, under each level of containment that this machine allows. Prints a table.
#include "core/worker/process_executor.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace ym;
using ym::test::await;

namespace {

using Level = ContainmentLevel;

/// Put before every script: says what an attempt came to, and what this machine offers.
const QByteArray preamble = R"(
import ctypes, errno, os, resource, signal, socket, sys, time
def tell(attempt):
    try:
        got = attempt()
        print('ESCAPED', repr(got)[:200], flush=True)
    except BaseException as e:
        print('held:', type(e).__name__, getattr(e, 'strerror', None) or e, flush=True)
E = os.environ
)";

/// Of rows in which the script is forked from a warm interpreter.
constexpr auto warmSuffix = " warm";

struct Attempt {
    const char *name;
    const char *script;
    bool alsoByLimits; ///< held even where jobs are only limited
};

// Under "limits" the ones marked false are known to succeed: that is what the consent is about.
constexpr Attempt attempts[] = {
    {"read a private file", "tell(lambda: open(E['SECRET_FILE']).read())", false},
    {"read ~/.ssh", "tell(lambda: os.listdir(E['REAL_HOME'] + '/.ssh'))", false},
    {"read the home folder", "tell(lambda: os.listdir(E['REAL_HOME']))", false},
    {"read /etc/shadow", "tell(lambda: open('/etc/shadow').read())", false},
    {"write outside", "tell(lambda: open(E['OUTSIDE'] + '/written', 'w').write('x'))", false},
    {"write into /usr", "tell(lambda: open('/usr/ym-written', 'w').write('x'))", false},
    {"write into /var/tmp",
     "p = '/var/tmp/ym-' + E['JOB_ID']\ndef go():\n  open(p, 'w').write('x')\n  os.unlink(p)\n  return p\ntell(go)", false},
    {"Redis by TCP on loopback",
     "def go():\n  s = socket.create_connection(('127.0.0.1', int(E['PORT'])), 5)\n  return 'connected'\ntell(go)", false},
    {"Redis by unix socket",
     "def go():\n  s = socket.socket(socket.AF_UNIX)\n  s.connect(E['REDIS_SOCKET'])\n  s.sendall(b'PING\\r\\n')\n"
     "  return s.recv(10)\ntell(go)",
     false},
    {"an abstract socket",
     "def go():\n  s = socket.socket(socket.AF_UNIX)\n  s.connect('\\0' + E['ABSTRACT'])\n  return 'connected'\ntell(go)",
     false},
    {"the environment of process 1",
     "def go():\n  t = open('/proc/1/environ', 'rb').read()\n  assert t, 'empty'\n  return t\ntell(go)", false},
    {"the environment of others",
     "def go():\n  for p in os.listdir('/proc'):\n    if p.isdigit():\n      try:\n"
     "        if b'ESCAPE_SECRET=hunter2' in open('/proc/' + p + '/environ', 'rb').read(): return p\n"
     "      except OSError: pass\n  raise OSError('nothing found')\ntell(go)",
     false},
    {"inherited descriptors",
     "def go():\n  more = []\n  for fd in range(3, 1024):\n    try: more.append(os.readlink('/proc/self/fd/%d' % fd))\n"
     "    except OSError: pass\n  more = [m for m in more if 'script' not in m]\n  assert more, 'none'\n  return more\ntell(go)",
     true},
    {"type into a terminal (TIOCSTI)",
     "import fcntl\ndef go():\n  for fd in (0, 1, 2):\n    try: fcntl.ioctl(fd, 0x5412, b'x'); return fd\n"
     "    except OSError as e: last = e\n  raise last\ntell(go)",
     true},
    {"open the terminal", "tell(lambda: open('/dev/tty'))", true},
    {"ptrace the parent",
     "def go():\n  libc = ctypes.CDLL(None, use_errno=True)\n  if libc.ptrace(16, os.getppid(), 0, 0) != 0:\n"
     "    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))\n  return 'attached'\ntell(go)",
     true},
    {"read the memory of the parent", "tell(lambda: open('/proc/%d/mem' % os.getppid(), 'rb'))", true},
    {"signal another process of the user", "tell(lambda: os.kill(int(E['VICTIM']), 0))", false},
    {"a name space of its own",
     "def go():\n  libc = ctypes.CDLL(None, use_errno=True)\n  if libc.unshare(0x10000000) != 0:\n"
     "    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))\n  return 'unshared'\ntell(go)",
     false},
    {"raise its limits", "tell(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100000, 100000)))", true},
    {"a core dump", "print('held: see signal', flush=True)\nos.abort()", true},
    {"capabilities",
     "def go():\n  caps = [l for l in open('/proc/self/status') if l.startswith('CapEff')][0].split()[1]\n"
     "  assert int(caps, 16) == 0, 'none'\n  raise OSError(caps)\ntell(go)",
     true},
    {"privileges by exec",
     "def go():\n  s = dict(l.split(':\\t', 1) for l in open('/proc/self/status') if ':\\t' in l)\n"
     "  assert s['NoNewPrivs'].strip() != '1', 'no new privileges'\n  return s\ntell(go)",
     true},
};

struct Consumption {
    const char *name;
    const char *script;
    QByteArray expected; ///< a part of the error or the output
};

Interpreter pythonRow(const RunLimits &limits)
{
    Interpreter row = builtinInterpreters().constFirst();
    row.command = {QStringLiteral("/usr/bin/python3"), QStringLiteral("-u"), QStringLiteral("{file}")};
    row.limits = limits;
    return row;
}

/// A listener on an abstract unix address of this process.
class AbstractListener {
public:
    explicit AbstractListener(const QByteArray &name)
        : m_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path + 1, name.constData(), size_t(name.size()));
        const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + size_t(name.size()));
        m_listens = bind(m_fd, reinterpret_cast<sockaddr *>(&address), length) == 0 && listen(m_fd, 5) == 0;
    }
    ~AbstractListener() { close(m_fd); }
    bool listens() const { return m_listens; }

private:
    int m_fd;
    bool m_listens = false;
};

} // namespace

class TestEscapes : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    test::RedisServer m_redis;
    InterpreterTable m_table;
    QHash<Level, Containment> m_offered;
    QStringList m_outcomes;

    ProcessExecutor::Options options(Level level) const
    {
        ProcessExecutor::Options options;
        options.isWarm = QByteArray(QTest::currentDataTag()).endsWith(warmSuffix);
        options.tempRoot = m_folder.filePath(QStringLiteral("jobs"));
        options.bestLevel = level;
        return options;
    }

    Job python(const QByteArray &script) const
    {
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = preamble + script;
        job.timeout = std::chrono::seconds{60};
        job.attempt = 1;
        return job;
    }

    Execution run(Level level, const Job &job, const RunLimits &limits = {})
    {
        if (!m_table.setRow(pythonRow(limits)))
            qFatal("row");
        ProcessExecutor executor(&m_table, options(level), &Clock::system());
        ExecutionRequest request{job};
        request.grant.limitsOnly = true;
        return await(executor.run(request, {}, RunControl()), 120'000);
    }

    /// The row's name is "WHAT, LEVEL".
    void note(const QByteArray &outcome)
    {
        const QByteArray row = QTest::currentDataTag();
        const qsizetype comma = row.lastIndexOf(", ");
        m_outcomes.append(QStringLiteral("| %1 | %2 | %3 |")
                              .arg(QString::fromUtf8(row.left(comma)).leftJustified(36),
                                   QString::fromUtf8(row.mid(comma + 2)).leftJustified(15),
                                   QString::fromUtf8(outcome.simplified().left(110))));
    }

    static void addLevels(const std::function<void(Level, const QByteArray &)> &add)
    {
        for (const Level level : {Level::Bubblewrap, Level::Confined, Level::LimitsOnly})
            add(level, levelName(level));
        add(Level::Bubblewrap, levelName(Level::Bubblewrap) + QByteArray(warmSuffix));
    }

    /// Says why a level cannot be tried here.
    QString missing(Level level) const
    {
        const Containment found = m_offered.value(level);
        return found.level == level ? QString()
                                    : QStringLiteral("not offered by this machine: %1").arg(found.reason);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        addLevels([this](Level level, const QByteArray &) {
            ProcessExecutor executor(&m_table, options(level), &Clock::system());
            m_offered.insert(level, await(executor.containment(), 60'000));
        });
        qInfo("running as uid %d; the best level here: %s", int(getuid()),
              qUtf8Printable(containmentText(m_offered.value(Level::Bubblewrap))));
    }

    void cleanupTestCase()
    {
        m_outcomes.sort();
        qInfo("what scripts tried, and what came of it (uid %d):\n%s", int(getuid()),
              qUtf8Printable(m_outcomes.join(u'\n')));
    }

    void isHeld_data()
    {
        QTest::addColumn<Level>("level");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<bool>("held");
        addLevels([](Level level, const QByteArray &name) {
            for (const Attempt &attempt : attempts)
                QTest::newRow((QByteArray(attempt.name) + ", " + name).constData())
                    << level << QByteArray(attempt.script) << (attempt.alsoByLimits || level != Level::LimitsOnly);
        });
    }
    void isHeld()
    {
        QFETCH(Level, level);
        QFETCH(QByteArray, script);
        QFETCH(bool, held);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        if (!held)
            QSKIP("jobs that are only limited may do this: it is what the consent is about");

        QFile secret(m_folder.filePath(QStringLiteral("secret")));
        QVERIFY(secret.open(QIODevice::WriteOnly) && secret.write("hunter2") == 7);
        secret.close();
        const int inherited = ::open(QFile::encodeName(secret.fileName()).constData(), O_RDONLY); // not close-on-exec
        QTcpServer tcp;
        QVERIFY(tcp.listen(QHostAddress::LocalHost));
        QVERIFY2(m_redis.isRunning(), qPrintable(m_redis.error()));
        const QByteArray abstractName = "yardmaster-" + newJobId();
        const AbstractListener abstractListener(abstractName);
        QVERIFY(abstractListener.listens());
        QProcess victim;
        victim.setProcessEnvironment([] {
            QProcessEnvironment environment;
            environment.insert(QStringLiteral("ESCAPE_SECRET"), QStringLiteral("hunter2"));
            return environment;
        }());
        victim.start(QStringLiteral("/bin/sleep"), {QStringLiteral("1000")});
        QVERIFY(victim.waitForStarted());

        Job job = python(script);
        job.env = {{"SECRET_FILE", QFile::encodeName(secret.fileName())},
                   {"OUTSIDE", QFile::encodeName(m_folder.path())},
                   {"REAL_HOME", QFile::encodeName(QDir::homePath())},
                   {"PORT", QByteArray::number(tcp.serverPort())},
                   {"REDIS_SOCKET", m_redis.socketPath().toUtf8()},
                   {"ABSTRACT", abstractName},
                   {"VICTIM", QByteArray::number(victim.processId())}};
        const Execution e = run(level, job);
        note(e.output + e.error);
        ::close(inherited);
        QVERIFY2(e.output.startsWith("held:"), (e.output + e.error).constData());
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("written"))));
        QVERIFY(!tcp.hasPendingConnections());
        QCOMPARE(victim.state(), QProcess::Running);
        victim.kill();
        victim.waitForFinished();
    }

    void killsOnlyItself_data()
    {
        QTest::addColumn<Level>("level");
        for (const Level level : {Level::Bubblewrap, Level::Confined})
            QTest::newRow((QByteArray("kill -9 -1, ") + levelName(level)).constData()) << level;
    }
    /// kill -9 -1. Tried with signal 0 first, which reaches nobody: only a script that is alone goes on.
    void killsOnlyItself()
    {
        QFETCH(Level, level);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        const Execution e = run(level, python("try:\n  os.kill(-1, 0)\n  print('ESCAPED', flush=True)\n"
                                              "except OSError as e:\n"
                                              "  print('held:', e.strerror, flush=True)\n"
                                              "  alone = os.path.exists('/proc/1/stat') and os.getpid() < 50\n"
                                              "  try:\n    if alone: os.kill(-1, 9)\n  except OSError: pass\n"
                                              "print('still here', flush=True)\n"));
        note(e.output + e.error);
        QVERIFY2(e.output.startsWith("held:"), (e.output + e.error).constData());
        QVERIFY(e.output.endsWith("still here\n"));
        QCOMPARE(e.fate, Execution::Fate::Finished);
    }

    void isLimited_data()
    {
        QTest::addColumn<Level>("level");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("expected");
        const Consumption rows[] = {
            {"a fork bomb",
             "n = 0\ntry:\n  while n < 3000:\n    if os.fork() == 0: time.sleep(60)\n    n += 1\n"
             "except OSError as e: print('held after', n, e.strerror, flush=True)\ntime.sleep(60 if n == 3000 else 0)",
             "held after|more than 20 processes|more than 256.00 MiB of memory"},
            {"4 GB in one process",
             "try:\n  x = bytearray(4 << 30)\n  print('ESCAPED', flush=True)\n  time.sleep(60)\n"
             "except MemoryError: print('held: MemoryError', flush=True)",
             "held: MemoryError|more than 256.00 MiB of memory"},
            {"600 MB in six processes",
             "for i in range(6):\n  if os.fork() == 0:\n    x = bytearray(os.urandom(1 << 20) * 100)\n    time.sleep(60)\n"
             "time.sleep(60)",
             "more than 256.00 MiB of memory"},
            {"a disk filler",
             "try:\n  for i in range(1000):\n    open('f%d' % i, 'wb').write(b'x' * (8 << 20))\n    time.sleep(0.02)\n"
             "  print('ESCAPED', flush=True)\n"
             "except OSError as e: print('held:', e.strerror, flush=True)",
             "held: No space left on device|folder held more than 64.00 MiB"},
            {"one large file",
             "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\ntry:\n  f = open('f', 'wb')\n"
             "  for i in range(1000): f.write(b'x' * (1 << 20)); f.flush()\n  print('ESCAPED', flush=True)\n"
             "except OSError as e: print('held:', e.strerror, flush=True)",
             "held: File too large"},
            {"a million files",
             "for i in range(1000000): open('f%d' % i, 'w').close()\nprint('ESCAPED', flush=True)\n", "more than 3000 files"},
            {"many open files",
             "fs = []\ntry:\n  while len(fs) < 100000: fs.append(open('/dev/null'))\n  print('ESCAPED', flush=True)\n"
             "except OSError as e: print('held:', e.strerror, flush=True)",
             "held: Too many open files"},
            {"an endless loop", "while True: pass", "SIGXCPU"},
        };
        addLevels([&rows](Level level, const QByteArray &name) {
            for (const Consumption &row : rows)
                QTest::newRow((QByteArray(row.name) + ", " + name).constData()) << level << QByteArray(row.script) << row.expected;
        });
    }
    void isLimited()
    {
        QFETCH(Level, level);
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, expected);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        RunLimits limits;
        limits.cpu = std::chrono::seconds{script.contains("while True: pass") ? 1 : 60};
        limits.memoryBytes = 256 << 20;
        limits.addressBytes = qint64{2} << 30;
        limits.diskBytes = 64 << 20;
        limits.fileBytes = 32 << 20;
        limits.files = 3000;
        limits.processes = 20;
        limits.openFiles = 64;
        Job job = python(script);
        job.timeout = std::chrono::seconds{0}; // the processor time is what ends an endless loop here
        const Execution e = run(level, job, limits);
        note(e.output + e.error);
        bool found = false;
        for (const QByteArray &part : expected.split('|'))
            found = found || e.output.contains(part) || e.error.contains(part);
        QVERIFY2(found, (e.output + e.error).constData());
        QVERIFY(!e.output.contains("ESCAPED"));
    }

    /// RELIABILITY 9, "Executed scripts": what a script may do, and how it must look from outside.
    void endsAsItShould_data()
    {
        using Fate = Execution::Fate;
        QTest::addColumn<Level>("level");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Fate>("fate");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signalNumber");
        QTest::addColumn<QByteArray>("output");
        struct Row {
            const char *name;
            const char *script;
            Fate fate;
            int exitCode;
            int signalNumber;
            const char *output;
        };
        const Row rows[] = {
            {"no newline at the end", "print('x', end='')", Fate::Finished, 0, 0, "x"},
            {"one byte at a time",
             "for c in b'slow':\n  os.write(1, bytes([c]))\n  time.sleep(0.02)", Fate::Finished, 0, 0, "slow"},
            {"exit code 0", "sys.exit(0)", Fate::Finished, 0, 0, ""},
            {"exit code 1", "sys.exit(1)", Fate::Failed, 1, 0, ""},
            {"exit code 126", "sys.exit(126)", Fate::Failed, 126, 0, ""},
            {"exit code 127", "sys.exit(127)", Fate::Failed, 127, 0, ""},
            {"exit code 255", "sys.exit(255)", Fate::Failed, 255, 0, ""},
            {"killed by SIGKILL", "os.kill(os.getpid(), 9)", Fate::Failed, -1, SIGKILL, ""},
            {"killed by SIGSEGV", "os.kill(os.getpid(), 11)", Fate::Failed, -1, SIGSEGV, ""},
            {"a core dump", "os.abort()", Fate::Failed, -1, SIGABRT, ""},
            {"a lower priority and lower limits",
             "os.nice(3)\nresource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))\nprint('lower')", Fate::Finished, 0, 0,
             "lower\n"},
            {"names of 255 bytes",
             "for i in range(50): open(('%03d' % i) + 'n' * 252, 'w').close()\nprint(len(os.listdir('.')))",
             Fate::Finished, 0, 0, "51\n"},
            {"a farm of links",
             "for i in range(200): os.symlink('/', 'l%d' % i); os.symlink('l%d' % i, 'm%d' % i)\n"
             "os.symlink('loop', 'loop')\nprint('done')",
             Fate::Finished, 0, 0, "done\n"},
            {"folders in folders",
             "for i in range(300):\n  os.mkdir('d')\n  os.chdir('d')\nos.chmod('.', 0)\nprint('deep')", Fate::Finished, 0,
             0, "deep\n"},
            {"a daemon",
             "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    for fd in (0, 1, 2): os.close(fd)\n"
             "    time.sleep(1000)\n  os._exit(0)\nos.wait()\nprint('started')",
             Fate::Finished, 0, 0, "started\n"},
        };
        addLevels([&rows](Level level, const QByteArray &name) {
            for (const Row &row : rows)
                QTest::newRow((QByteArray(row.name) + ", " + name).constData())
                    << level << QByteArray(row.script) << row.fate << row.exitCode << row.signalNumber
                    << QByteArray(row.output);
        });
    }
    void endsAsItShould()
    {
        QFETCH(Level, level);
        QFETCH(QByteArray, script);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        const Execution e = run(level, python(script));
        note(e.output + ' ' + e.error);
        QTEST(e.fate, "fate");
        QTEST(e.exitCode, "exitCode");
        QTEST(e.signal, "signalNumber");
        QTEST(e.output, "output");
        QDir jobs(options(level).tempRoot);
        QCOMPARE(jobs.entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    }

    void endsAtItsTimeout_data()
    {
        QTest::addColumn<Level>("level");
        addLevels([](Level level, const QByteArray &name) {
            QTest::newRow(("a loop over its time, " + name).constData()) << level;
        });
    }
    void endsAtItsTimeout()
    {
        QFETCH(Level, level);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        Job job = python("while True: pass");
        job.timeout = std::chrono::seconds{1};
        const Execution e = run(level, job);
        note(e.error);
        QCOMPARE(e.fate, Execution::Fate::TimedOut);
        QCOMPARE(e.signal, SIGTERM);
        QVERIFY(e.duration >= Milliseconds{1'000});
    }

    void endsWhenItIsToldTo_data()
    {
        QTest::addColumn<Level>("level");
        QTest::addColumn<QByteArray>("script");
        const std::pair<const char *, const char *> rows[] = {
            {"deaf to SIGTERM", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\n"
                                "while True: time.sleep(1)"},
            {"standard output closed", "print('up', flush=True)\nos.close(1)\nos.close(2)\ntime.sleep(1000)"},
            {"a daemon that stays",
             "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(1000)\n  os._exit(0)\nos.wait()\n"
             "print('up', flush=True)\ntime.sleep(1000)"},
            {"an endless output", "print('up', flush=True)\nwhile True: print('y' * 70)"},
        };
        addLevels([&rows](Level level, const QByteArray &name) {
            for (const auto &[what, script] : rows)
                QTest::newRow((QByteArray(what) + ", " + name).constData()) << level << QByteArray(script);
        });
    }
    void endsWhenItIsToldTo()
    {
        QFETCH(Level, level);
        QFETCH(QByteArray, script);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        if (!m_table.setRow(pythonRow({})))
            qFatal("row");
        ProcessExecutor executor(&m_table, options(level), &Clock::system());
        ExecutionRequest request{python(script), Milliseconds{200}};
        request.grant.limitsOnly = true;
        const RunControl control;
        const auto sink = [&control](const OutputChunk &) { control.stop(StopReason::Request); };
        const Execution e = await(executor.run(request, sink, control), 60'000);
        note(e.error + " by " + QByteArray::number(e.signal));
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QVERIFY2(e.output.startsWith("up"), e.output.constData());
        for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            QFile environment(QStringLiteral("/proc/%1/environ").arg(entry));
            if (environment.open(QIODevice::ReadOnly))
                QVERIFY2(!environment.readAll().contains("JOB_ID=" + request.job.id), qPrintable(entry));
        }
    }

    void aFloodOfAGigabyteIsReadToItsEndAndCut_data()
    {
        QTest::addColumn<Level>("level");
        addLevels([](Level level, const QByteArray &name) {
            QTest::newRow(("an output of 1 GB, " + name).constData()) << level;
        });
    }
    void aFloodOfAGigabyteIsReadToItsEndAndCut()
    {
        QFETCH(Level, level);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        Job job = python("b = b'y' * (1 << 20)\nfor i in range(1024): os.write(1, b)\nos.write(1, b'end')");
        job.timeout = std::chrono::seconds{120};
        const Execution e = run(level, job);
        note(QByteArray::number(e.outputBytes) + " bytes written, " + QByteArray::number(e.output.size()) + " kept");
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QCOMPARE(e.outputBytes, (qint64{1} << 30) + 3);
        QVERIFY(e.output.size() < 9 << 20);
        QVERIFY(e.output.endsWith("end"));
    }

    void anInterpreterThatVanishedIsAnErrorAtOnce()
    {
        const QString program = m_folder.filePath(QStringLiteral("python3-vanishing"));
        QVERIFY(QFile::link(QStringLiteral("/usr/bin/python3"), program));
        Interpreter row = pythonRow({});
        row.command[0] = program;
        QVERIFY(m_table.setRow(row));
        ProcessExecutor executor(&m_table, options(Level::Bubblewrap), &Clock::system());
        QVERIFY(executor.canRun("python"));
        QVERIFY(QFile::remove(program)); // claimed, and gone before it starts
        ExecutionRequest request{python("print('ran')")};
        request.grant.limitsOnly = true;
        const Execution e = await(executor.run(request, {}, RunControl()), 60'000);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QVERIFY2(e.error.contains("was not found"), e.error.constData());
        QVERIFY(!executor.canRun("python"));
    }

    void optInsOpenWhatTheyName_data()
    {
        QTest::addColumn<Level>("level");
        for (const Level level : {Level::Bubblewrap, Level::Confined})
            QTest::newRow(levelName(level)) << level;
    }
    void optInsOpenWhatTheyName()
    {
        QFETCH(Level, level);
        if (const QString why = missing(level); !why.isEmpty())
            QSKIP(qPrintable(why));
        const QString in = m_folder.filePath(QStringLiteral("in"));
        const QString out = m_folder.filePath(QStringLiteral("out-") + QLatin1String(levelName(level)));
        QVERIFY(QDir().mkpath(in) && QDir().mkpath(out));
        QFile data(in + QStringLiteral("/data"));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.write("data") == 4);
        data.close();
        QTcpServer tcp;
        QVERIFY(tcp.listen(QHostAddress::LocalHost));
        Job job = python("print(open(E['IN'] + '/data').read())\n"
                         "open(E['OUT'] + '/result', 'w').write('done')\n"
                         "socket.create_connection(('127.0.0.1', int(E['PORT'])), 5)\n"
                         "tell(lambda: open(E['IN'] + '/data', 'w'))\n"
                         "tell(lambda: open(E['SECRET_FILE']).read())\n");
        job.env = {{"IN", QFile::encodeName(in)},
                   {"OUT", QFile::encodeName(out)},
                   {"PORT", QByteArray::number(tcp.serverPort())},
                   {"SECRET_FILE", QFile::encodeName(m_folder.filePath(QStringLiteral("secret")))}};
        job.access = {true, {in}, {out}};
        const Execution refused = run(level, job);
        QCOMPARE(refused.fate, Execution::Fate::Failed);
        QVERIFY2(refused.error.contains("The job asks for the network"), refused.error.constData());

        ProcessExecutor executor(&m_table, options(level), &Clock::system());
        ExecutionRequest request{job};
        request.grant.access = {true, {m_folder.filePath(QStringLiteral("in"))}, {out}};
        const Execution e = await(executor.run(request, {}, RunControl()), 60'000);
        QVERIFY2(e.output.startsWith("data\nheld:"), (e.output + e.error).constData());
        QVERIFY(!e.output.contains("ESCAPED"));
        QVERIFY(e.containment.contains(", network, reads "));
        QFile result(out + QStringLiteral("/result"));
        QVERIFY(result.open(QIODevice::ReadOnly));
        QCOMPARE(result.readAll(), QByteArray("done"));
        QVERIFY(tcp.hasPendingConnections() || tcp.waitForNewConnection(1000));
    }

    void limitsOnlyNeedsConsent()
    {
        ProcessExecutor executor(&m_table, options(Level::LimitsOnly), &Clock::system());
        const Result<void> ready = await(executor.prepare({}), 60'000);
        QVERIFY(!ready);
        QVERIFY(ready.error().message.startsWith(QStringLiteral("Jobs can only be limited here")));
        const Execution e = await(executor.run({python("print('ran')")}, {}, RunControl()), 60'000);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QVERIFY(e.output.isEmpty());
        RunGrant grant;
        grant.limitsOnly = true;
        QVERIFY(await(executor.prepare(grant), 60'000));
    }
};

QTEST_GUILESS_MAIN(TestEscapes)
#include "tst_escapes.moc"
