// Puts keys into a store, each in one step.
#pragma once

#include "core/store/transfer/key_reader.h"

namespace ym::transfer {

enum class WriteMode : quint8 { OnlyMissing, Replace };
enum class WriteOutcome : quint8 {
    Written,
    Taken, ///< OnlyMissing: the target has such a key, it was left alone
    Gone,  ///< there was nothing to write any more
};

/// Builds every key under a name of its own (stagingPrefix) and then renames it, so that nobody ever sees a part of it
/// and nothing is overwritten unasked. What an interruption leaves behind expires within an hour. Lives are written
/// as what is left of them, because the clocks of two servers differ. Throws StoreError as the store does.
class KeyWriter {
public:
    KeyWriter(Store *store, Clock *clock);

    /// Small keys, in transactions of about sliceBytes. One outcome for each.
    QCoro::Task<std::vector<WriteOutcome>> writeAll(std::vector<KeyContent> keys, WriteMode mode);
    /// A large key, slice by slice from the reader.
    QCoro::Task<WriteOutcome> copyLarge(KeyInfo key, KeyReader *from, WriteMode mode);

private:
    QByteArray stagingName();
    QCoro::Task<void> writeBatch(std::vector<KeyContent> batch, WriteMode mode, std::vector<WriteOutcome> *outcomes);

    Store *m_store;
    Clock *m_clock;
    QByteArray m_token;
    qint64 m_nameCount = 0;
};

} // namespace ym::transfer
