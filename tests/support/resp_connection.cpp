#include "tests/support/resp_connection.h"

namespace ym::test {

namespace {

void appendWords(QByteArray &to, const QList<QByteArray> &words)
{
    to += '*' + QByteArray::number(words.size()) + "\r\n";
    for (const QByteArray &word : words)
        to += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
}

bool readReply(const QByteArray &bytes, qsizetype &at, Reply &reply);

bool readArray(const QByteArray &bytes, qsizetype &at, qsizetype count, Reply &reply)
{
    reply = Reply::array({});
    if (count < 0) {
        reply = Reply::nil();
        reply.integer = 1; // as the embedded store marks it
    }
    for (qsizetype i = 0; i < count; ++i) {
        Reply element;
        if (!readReply(bytes, at, element))
            return false;
        reply.elements.push_back(std::move(element));
    }
    return true;
}

bool readBulk(const QByteArray &bytes, qsizetype &at, qsizetype size, Reply &reply)
{
    if (size < 0) {
        reply = Reply::nil();
        return true;
    }
    if (bytes.size() < at + size + 2)
        return false;
    reply = Reply::bulk(bytes.mid(at, size));
    at += size + 2;
    return true;
}

/// Reads one reply; false when the bytes end inside it.
bool readReply(const QByteArray &bytes, qsizetype &at, Reply &reply)
{
    const qsizetype end = bytes.indexOf("\r\n", at);
    if (end < 0)
        return false;
    const char kind = bytes[at];
    const QByteArray line = bytes.mid(at + 1, end - at - 1);
    at = end + 2;
    switch (kind) {
    case '+':
        reply = Reply::status(line);
        return true;
    case '-':
        reply = Reply::error(line);
        return true;
    case ':':
        reply = Reply::number(line.toLongLong());
        return true;
    case '$':
        return readBulk(bytes, at, line.toLongLong(), reply);
    default:
        return readArray(bytes, at, line.toLongLong(), reply);
    }
}

} // namespace

RespConnection::RespConnection(const QString &socketPath)
{
    m_socket.connectToServer(socketPath);
    m_socket.waitForConnected();
}

void RespConnection::send(const QList<QList<QByteArray>> &commands)
{
    QByteArray out;
    for (const QList<QByteArray> &words : commands)
        appendWords(out, words);
    m_socket.write(out);
    m_socket.flush();
}

Reply RespConnection::read()
{
    std::optional<Reply> reply = readWithin(20000);
    if (!reply)
        qFatal("the server does not answer");
    return *reply;
}

std::optional<Reply> RespConnection::readWithin(int ms)
{
    while (true) {
        qsizetype at = 0;
        Reply reply;
        if (readReply(m_in, at, reply)) {
            m_in.remove(0, at);
            return reply;
        }
        if (!m_socket.waitForReadyRead(ms))
            return std::nullopt;
        m_in += m_socket.readAll();
    }
}

std::vector<Reply> RespConnection::ask(const QList<QList<QByteArray>> &commands)
{
    send(commands);
    std::vector<Reply> replies;
    while (replies.size() < size_t(commands.size()))
        replies.push_back(read());
    return replies;
}

} // namespace ym::test
