// Frames on plain file descriptors, for the launcher's side.
#pragma once

#include "core/worker/launcher/wire.h"

#include <string>
#include <string_view>
#include <vector>

namespace ym::launch {

/// Takes bytes as they come and gives whole frames.
class FrameReader {
public:
    /// Reads once from `fd`. False at end of file, on an error and on a frame over the limit.
    bool fill(int fd);
    /// The next whole frame; false when there is none yet.
    bool next(ToLauncher &kind, std::string &payload);

private:
    std::string m_buffer;
    bool m_broken = false;
};

/// Appends a whole frame.
void addFrame(std::string &bytes, FromLauncher kind, std::string_view payload);

/// Waits as long as the reader needs. False when nobody reads any more.
bool writeAll(int fd, std::string_view bytes);

} // namespace ym::launch
