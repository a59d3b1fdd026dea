// A disk that is full when a test wants it: a tmpfs in a name space of the test's own.
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace ym::test {

/// Gives this process mounts of its own, which its children share. Returns why that cannot be, or nothing. Must come
/// before there is a second thread.
QString enterMountSpace();

/// Two megabytes unless another `size` is given as mount(8) takes it; gone with the object.
class SmallDisk {
public:
    explicit SmallDisk(const char *size = "size=2m");
    ~SmallDisk();
    bool isMounted() const { return m_isMounted; }
    QString path() const { return m_folder.path(); }
    /// Takes all space but so many bytes.
    void fill(qint64 leave = 0);
    /// Gives it back.
    void empty();

private:
    QByteArray ballast() const { return (path() + QStringLiteral("/ballast")).toLocal8Bit(); }

    QTemporaryDir m_folder;
    bool m_isMounted;
};

} // namespace ym::test
