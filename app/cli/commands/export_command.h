// yardmaster export: all keys of one store into another.
#pragma once

#include "app/cli/command.h"
#include "app/cli/transfer_diary.h"

#include "core/store/store_address.h"
#include "core/store/transfer/transfer.h"

namespace ym::cli {

class ExportCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    QCoro::Task<int> run(Context *context) override;

private:
    QCoro::Task<int> work(Context *context);
    QCoro::Task<int> carryOver(transfer::Transfer *transfer, transfer::Tally plan);
    QCoro::Task<bool> isSameServer(Store *source);
    QCoro::Task<void> remarkOnOthers(Context *context);
    transfer::Collision collision() const;

    QByteArray m_to;
    bool m_isDryRun = false;
    bool m_overwrites = false;
    bool m_skips = false;
    bool m_doesNotVerify = false;
    StoreAddress m_address;
    std::unique_ptr<Store> m_target;
    std::optional<TransferDiary> m_diary;
};

} // namespace ym::cli
