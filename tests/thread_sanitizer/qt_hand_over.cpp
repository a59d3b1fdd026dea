// Tells ThreadSanitizer what Qt hands from one thread to another. Qt's libraries are not compiled for it, so the locks
// of their event queues and futures are not seen, and everything that was posted would count as a race. Under the
// preset tsan the linker sends our calls of the functions below through here (--wrap, see CMakeLists.txt of this
// folder); Qt's calls of itself stay as they are. What is told is the hand-over of this very slot, signal, object,
// future or thread and nothing more: a race in our code stays one.
#define QFUTURE_TEST // makes QFutureInterfaceBase::d public, by which threads know a future
#include <QEvent>
#include <QFutureInterface>
#include <QObject>
#include <QThread>
#include <QThreadPool>

#include <sanitizer/tsan_interface.h>

#include <cstdarg>
#include <functional>
#include <utility>

/// `symbol` is a function of Qt as the linker knows it; the body follows. Aligned as every member function: a pointer
/// to one (&QObject::deleteLater) that is odd means a virtual one.
#define WRAP(symbol, result, ...)                                                                                      \
    extern "C" result __real_##symbol(__VA_ARGS__);                                                                    \
    extern "C" [[gnu::aligned(16)]] result __wrap_##symbol(__VA_ARGS__)

extern "C" void AnnotateIgnoreWritesBegin(const char *file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char *file, int line);

namespace {

using Slot = QtPrivate::QSlotObjectBase;

/// What this thread did so far is done for those who take `what` later.
void give(const void *what)
{
    __tsan_release(const_cast<void *>(what));
}

void take(const void *what)
{
    __tsan_acquire(const_cast<void *>(what));
}

/// Whether this thread is looked at while it lives. It is not while Qt has a signal of ours in hand: for a queued slot
/// Qt copies the arguments, by our copy constructors, when it is too late to give them.
class Look {
public:
    explicit Look(bool isLookedAt)
        : m_before(s_isLookedAt)
    {
        change(isLookedAt);
    }
    ~Look() { change(m_before); }
    Q_DISABLE_COPY_MOVE(Look)

private:
    static void change(bool isLookedAt)
    {
        if (std::exchange(s_isLookedAt, isLookedAt) == isLookedAt)
            return;
        if (isLookedAt)
            AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        else
            AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }

    inline static thread_local bool s_isLookedAt = true;
    bool m_before;
};

/// Stands around a slot: what was done before it was posted, or before the signal was emitted, is done when it is
/// called; what it does is done when it is called again or deleted.
class HandedSlot final : public Slot {
public:
    HandedSlot(Slot *inner, const void *sender)
        : Slot(&run)
        , m_inner(inner)
        , m_sender(sender)
    {
        give(this);
    }

private:
    static void run(int operation, Slot *base, QObject *receiver, void **arguments, bool *isEqual)
    {
        const Look again(true);
        auto *const self = static_cast<HandedSlot *>(base);
        take(self);
        switch (operation) {
        case Destroy:
            self->m_inner->destroyIfLastRef();
            delete self;
            return;
        case Call:
            if (self->m_sender)
                take(self->m_sender);
            self->m_inner->call(receiver, arguments);
            give(QThread::currentThread()); // for who waits for its end
            break;
        case Compare:
            *isEqual = self->m_inner->compare(arguments);
            break;
        }
        give(self);
    }

    Slot *m_inner;
    const void *m_sender; ///< of the signal; null = none
};

/// Qt calls it before every event, in the thread of its receiver; no = go on.
bool onEvent(void **receiverAndEvent)
{
    if (static_cast<const QEvent *>(receiverAndEvent[1])->type() == QEvent::DeferredDelete)
        take(receiverAndEvent[0]);
    return false;
}
[[maybe_unused]] const bool isRegistered = QInternal::registerCallback(QInternal::EventNotifyCallback, onEvent);

} // namespace

// QMetaObject::invokeMethod() with a function
WRAP(_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv, bool,
     QObject *object, Slot *slot, Qt::ConnectionType type, void *result)
{
    const auto invoke =
        __real__ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv;
    auto *const handed = new HandedSlot(slot, nullptr);
    if (type != Qt::BlockingQueuedConnection)
        return invoke(object, handed, type, result);
    handed->ref();
    const bool isDone = invoke(object, handed, type, result);
    take(handed);
    handed->destroyIfLastRef();
    return isDone;
}

// QObject::connect() with a function
WRAP(_ZN7QObject11connectImplEPKS_PPvS1_S3_PN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPKiPK11QMetaObject,
     QMetaObject::Connection, const QObject *sender, void **signal, const QObject *receiver, void **method, Slot *slot,
     Qt::ConnectionType type, const int *types, const QMetaObject *meta)
{
    return __real__ZN7QObject11connectImplEPKS_PPvS1_S3_PN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPKiPK11QMetaObject(
        sender, signal, receiver, method, new HandedSlot(slot, sender), type, types, meta);
}

// QObject::deleteLater(), from any thread
WRAP(_ZN7QObject11deleteLaterEv, void, QObject *object)
{
    give(object);
    __real__ZN7QObject11deleteLaterEv(object);
}

// A signal of ours is emitted
WRAP(_ZN11QMetaObject8activateEP7QObjectPKS_iPPv, void, QObject *sender, const QMetaObject *meta, int signal,
     void **arguments)
{
    give(sender);
    const Look away(false);
    __real__ZN11QMetaObject8activateEP7QObjectPKS_iPPv(sender, meta, signal, arguments);
}

WRAP(_ZN7QThread4waitE14QDeadlineTimer, bool, QThread *thread, QDeadlineTimer deadline)
{
    const bool isOver = __real__ZN7QThread4waitE14QDeadlineTimer(thread, deadline);
    take(thread);
    return isOver;
}

WRAP(_ZN11QThreadPool5startESt8functionIFvvEEi, void, QThreadPool *pool, std::function<void()> work, int priority)
{
    auto *const handed = new std::function<void()>(std::move(work));
    give(handed);
    __real__ZN11QThreadPool5startESt8functionIFvvEEi(
        pool,
        [handed] {
            take(handed);
            (*handed)();
            delete handed;
        },
        priority);
}

// A future is started, asked, ended, waited for, followed and let go, each by any thread
WRAP(_ZN20QFutureInterfaceBase13reportStartedEv, void, QFutureInterfaceBase *future)
{
    give(future->d);
    __real__ZN20QFutureInterfaceBase13reportStartedEv(future);
}
WRAP(_ZNK20QFutureInterfaceBase10isCanceledEv, bool, const QFutureInterfaceBase *future)
{
    take(future->d);
    return __real__ZNK20QFutureInterfaceBase10isCanceledEv(future);
}
WRAP(_ZNK20QFutureInterfaceBase10isFinishedEv, bool, const QFutureInterfaceBase *future)
{
    const bool isFinished = __real__ZNK20QFutureInterfaceBase10isFinishedEv(future);
    take(future->d);
    return isFinished;
}
WRAP(_ZN20QFutureInterfaceBase14reportFinishedEv, void, QFutureInterfaceBase *future)
{
    give(future->d);
    __real__ZN20QFutureInterfaceBase14reportFinishedEv(future);
}
WRAP(_ZN20QFutureInterfaceBase15waitForFinishedEv, void, QFutureInterfaceBase *future)
{
    __real__ZN20QFutureInterfaceBase15waitForFinishedEv(future);
    take(future->d);
}
WRAP(_ZN20QFutureInterfaceBase15setContinuationESt8functionIFvRKS_EE, void, QFutureInterfaceBase *future,
     std::function<void(const QFutureInterfaceBase &)> next)
{
    give(future->d);
    take(future->d);
    __real__ZN20QFutureInterfaceBase15setContinuationESt8functionIFvRKS_EE(future, std::move(next));
}
WRAP(_ZN20QFutureInterfaceBase15setContinuationESt8functionIFvRKS_EEP27QFutureInterfaceBasePrivate, void,
     QFutureInterfaceBase *future, std::function<void(const QFutureInterfaceBase &)> next,
     QFutureInterfaceBasePrivate *nextOne)
{
    give(future->d);
    take(future->d);
    __real__ZN20QFutureInterfaceBase15setContinuationESt8functionIFvRKS_EEP27QFutureInterfaceBasePrivate(
        future, std::move(next), nextOne);
}
WRAP(_ZN20QFutureInterfaceBase17cleanContinuationEv, void, QFutureInterfaceBase *future)
{
    take(future->d);
    __real__ZN20QFutureInterfaceBase17cleanContinuationEv(future);
}
WRAP(_ZNK20QFutureInterfaceBase15runContinuationEv, void, const QFutureInterfaceBase *future)
{
    take(future->d);
    __real__ZNK20QFutureInterfaceBase15runContinuationEv(future);
}
WRAP(_ZNK20QFutureInterfaceBase6derefTEv, bool, const QFutureInterfaceBase *future)
{
    give(future->d);
    take(future->d);
    return __real__ZNK20QFutureInterfaceBase6derefTEv(future);
}
WRAP(_ZN20QFutureInterfaceBaseD2Ev, void, QFutureInterfaceBase *future)
{
    give(future->d);
    take(future->d);
    __real__ZN20QFutureInterfaceBaseD2Ev(future);
}

extern "C" int __clone(int (*run)(void *), void *stack, int flags, void *argument, ...);

/// By which QProcess starts a child that shares our memory until it runs its program. The clone() of ThreadSanitizer
/// takes the child for one with memory of its own, counts its return twice, and from then on reports nothing of this
/// thread.
extern "C" int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    void *const parentId = va_arg(rest, void *);
    void *const storage = va_arg(rest, void *);
    void *const childId = va_arg(rest, void *);
    va_end(rest);
    return __clone(run, stack, flags, argument, parentId, storage, childId);
}

extern "C" const char *__tsan_default_options()
{
    return "history_size=7:second_deadlock_stack=1:die_after_fork=0";
}

extern "C" const char *__tsan_default_suppressions()
{
    return "# What these allocate, copy and free by themselves they guard by locks that are not seen.\n"
           "called_from_lib:libQt6Core.so.6\n"
           "called_from_lib:libQt6Test.so.6\n"
           "called_from_lib:libglib-2.0.so.0\n"
           "# The arguments of a queued signal are let go by Qt when the receiver dies before it was called.\n"
           "race:QtPrivate::QMetaTypeForType<*>::getDtor\n";
}
