// The way out: all keys of one store into another.
#pragma once

#include "core/store/transfer/key_comparer.h"
#include "core/store/transfer/key_writer.h"

#include <array>
#include <functional>

namespace ym::transfer {

/// What is done with a key that the target has already, with something else in it.
enum class Collision : quint8 { Refuse, Skip, Overwrite };

/// What became of one key in a pass.
enum class Fate : quint8 {
    Missing,     ///< the target lacks it: to be copied, or not there after all
    Copied,      ///< written, or written over another with Collision::Overwrite
    Equal,       ///< the target has the same
    Different,   ///< the target has another; left alone
    Unsupported, ///< of a type that cannot be carried over
    Gone,        ///< deleted or over meanwhile
    Extra,       ///< only the target has it
};
inline constexpr size_t fateCount = 7;

/// The sum of one pass over all keys.
struct Tally {
    qint64 keys = 0;
    qint64 bytes = 0; ///< about, in the source's memory
    qint64 expiring = 0;
    std::array<qint64, keyTypeCount> byType{};
    std::array<qint64, fateCount> byFate{};

    qint64 count(Fate fate) const { return byFate.at(size_t(fate)); }
    qint64 count(KeyType type) const { return byType.at(size_t(type)); }
};

/// Hears how it goes. Called between commands.
struct TransferListener {
    std::function<void(const Tally &)> onProgress; ///< after every page of keys
    /// A key with a fate that a person may want to know. Survey: Different, Unsupported; verify: Different, Missing,
    /// Extra.
    std::function<void(const QByteArray &key, KeyType type, Fate fate)> onKey;
    /// A server was lost; the pass goes on when it answers again.
    std::function<void(const Error &)> onWaiting;
};

/// Copies in passes, each of which may be repeated at any time: what is equal already is left alone, so a copy that was
/// interrupted goes on when it is started again. The source is only read. Memory does not grow with the number of keys.
/// Passes throw StoreError: Cancelled when `stop` is requested, the last failure when a server stays away for a minute.
class Transfer {
public:
    struct Parts {
        Store *from = nullptr;
        Store *to = nullptr;
        Clock *clock = nullptr;
        std::stop_token stop;
        TransferListener listener;
    };
    explicit Transfer(Parts parts);

    /// Looks at both and changes nothing.
    QCoro::Task<Tally> survey();
    QCoro::Task<Tally> copy(Collision collision);
    /// Compares every key; then counts what only the target has.
    QCoro::Task<Tally> verify();

private:
    enum class Pass : quint8 { Survey, Copy, Verify, Extra };
    struct Page {
        std::vector<KeyInfo> keys;
        std::vector<Fate> fates; ///< one for each key
    };

    QCoro::Task<Tally> run(Pass pass);
    QCoro::Task<bool> step(Pass pass, Tally *tally);
    QCoro::Task<void> pauseAfter(Error trouble, Monotonic since);
    QCoro::Task<void> judge(Page *page, Pass pass);
    QCoro::Task<void> compare(Page *page);
    QCoro::Task<void> compareLarge(Page *page, size_t index);
    QCoro::Task<void> write(Page *page);
    QCoro::Task<void> writeLarge(Page *page, size_t index);
    void add(const Page &page, Pass pass, Tally *tally) const;

    Parts m_parts;
    Collision m_collision = Collision::Refuse;
    KeyReader m_source;
    KeyReader m_target;
    KeyComparer m_comparer;
    KeyComparer m_reverse; ///< looks for the target's keys in the source
    KeyWriter m_writer;
};

} // namespace ym::transfer
