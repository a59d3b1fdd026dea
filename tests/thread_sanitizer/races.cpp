// Races on purpose, one a run, each close to what qt_hand_over.cpp allows, which ThreadSanitizer must report; and the
// same done in order, which it must not.
#include <QCoreApplication>
#include <QFuture>
#include <QProcess>
#include <QPromise>
#include <QThread>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

/// Rings in the thread of who rings it.
class Bell final : public QObject {
    Q_OBJECT
Q_SIGNALS:
    void rung(const std::string &tone);
};

/// A thread with an event loop, and an object that lives in it.
class Other {
public:
    Other()
    {
        m_object.moveToThread(&m_thread);
        m_thread.start();
    }
    ~Other()
    {
        post([this] { m_thread.quit(); }); // after all else that was posted
        m_thread.wait();
    }
    Q_DISABLE_COPY_MOVE(Other)

    QObject *object() { return &m_object; }
    void post(const std::function<void()> &work) { QMetaObject::invokeMethod(&m_object, work, Qt::QueuedConnection); }

private:
    QThread m_thread;
    QObject m_object;
};

int shared = 0;
std::atomic_bool isTurnOfOther = false;

/// Comes second and says so to nobody: what is relaxed is no order for ThreadSanitizer.
void writeLater()
{
    while (!isTurnOfOther.load(std::memory_order_relaxed))
        std::this_thread::yield();
    ++shared;
}

void writeFirst()
{
    ++shared;
    isTurnOfOther.store(true, std::memory_order_relaxed);
}

void afterThePost()
{
    Other other;
    other.post(writeLater);
    writeFirst();
}

void afterTheSignal()
{
    Bell bell;
    Other other;
    QObject::connect(&bell, &Bell::rung, other.object(), writeLater);
    Q_EMIT bell.rung("high");
    writeFirst();
}

void inADirectSlot()
{
    Bell bell;
    Other other;
    QObject::connect(&bell, &Bell::rung, &bell, writeFirst, Qt::DirectConnection);
    other.post(writeLater);
    Q_EMIT bell.rung("low");
}

void afterAProcess()
{
    QProcess::execute(QStringLiteral("true"));
    afterThePost();
}

void afterTheFuture()
{
    QPromise<int> promise;
    promise.start();
    const QFuture<int> future = promise.future();
    std::thread other([&promise] {
        promise.addResult(1);
        promise.finish();
        writeLater();
    });
    future.result();
    writeFirst();
    other.join();
}

void inOrder()
{
    Bell bell;
    QPromise<int> promise;
    promise.start();
    const QFuture<int> future = promise.future();
    {
        Other other;
        const auto ring = [&promise](const std::string &tone) {
            shared += int(tone.size());
            promise.addResult(1);
            promise.finish();
        };
        QObject::connect(&bell, &Bell::rung, other.object(), ring);
        ++shared;
        other.post([] { ++shared; });
        Q_EMIT bell.rung("longer than a string keeps in itself");
        shared += future.result();
        other.post([] { ++shared; });
    }
    ++shared;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const std::map<std::string, void (*)()> cases{
        {"afterThePost", afterThePost},   {"afterTheSignal", afterTheSignal}, {"inADirectSlot", inADirectSlot},
        {"afterAProcess", afterAProcess}, {"afterTheFuture", afterTheFuture}, {"inOrder", inOrder}};
    cases.at(argc > 1 ? argv[1] : "")();
    return 0;
}

#include "races.moc"
