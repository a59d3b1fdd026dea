#include "core/worker/launcher/frames.h"

#include <cerrno>
#include <cstdint>
#include <unistd.h>

namespace ym::launch {

namespace {

std::size_t lengthAt(const std::string &bytes)
{
    std::uint32_t length = 0;
    for (int i = 3; i >= 0; --i)
        length = length << 8 | std::uint8_t(bytes[std::size_t(i) + 1]);
    return length;
}

} // namespace

bool FrameReader::fill(int fd)
{
    char chunk[16384];
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    m_buffer.append(chunk, std::size_t(n));
    return n > 0 && !m_broken;
}

bool FrameReader::next(ToLauncher &kind, std::string &payload)
{
    if (m_broken || m_buffer.size() < headerSize)
        return false;
    const std::size_t length = lengthAt(m_buffer);
    m_broken = length > maxPayload;
    if (m_broken || m_buffer.size() < headerSize + length)
        return false;
    kind = ToLauncher(m_buffer[0]);
    payload = m_buffer.substr(headerSize, length);
    m_buffer.erase(0, headerSize + length);
    return true;
}

void addFrame(std::string &bytes, FromLauncher kind, std::string_view payload)
{
    const auto size = std::uint32_t(payload.size());
    const char header[headerSize] = {char(kind), char(size), char(size >> 8), char(size >> 16), char(size >> 24)};
    bytes.append(header, headerSize).append(payload);
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            bytes.remove_prefix(std::size_t(n));
    }
    return true;
}

} // namespace ym::launch
