// An owned file descriptor.
#pragma once

#include <QByteArray>

#include <cerrno>
#include <unistd.h>
#include <utility>

namespace ym {

/// Closes what it holds. -1 is "none"; after a failed open(), errno is still set.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd)
        : m_fd(fd)
    {
    }
    FileDescriptor(FileDescriptor &&other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    FileDescriptor &operator=(FileDescriptor &&other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }

    bool isOpen() const { return m_fd >= 0; }
    int get() const { return m_fd; }
    /// Whoever gets it closes it.
    int release() { return std::exchange(m_fd, -1); }

    /// Writes everything or returns false with errno set.
    bool writeAll(const QByteArray &bytes) const
    {
        for (qsizetype done = 0; done < bytes.size();) {
            const ssize_t n = ::write(m_fd, bytes.constData() + done, size_t(bytes.size() - done));
            if (n < 0 && errno != EINTR)
                return false;
            done += n > 0 ? n : 0;
        }
        return true;
    }

private:
    int m_fd = -1;
};

} // namespace ym
