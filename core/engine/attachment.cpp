#include "core/engine/attachment.h"

#include <QRandomGenerator>
#include <QUrl>

#include <array>

namespace ym {

QString portUrl(quint16 port, const QString &password)
{
    return QStringLiteral("redis://:%1@127.0.0.1:%2")
        .arg(QString::fromLatin1(QUrl::toPercentEncoding(password)), QString::number(port));
}

QString newPortPassword()
{
    std::array<quint32, 6> random{};
    QRandomGenerator::system()->generate(random.begin(), random.end());
    const QByteArray bytes(reinterpret_cast<const char *>(random.data()), sizeof random);
    return QString::fromLatin1(bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

} // namespace ym
