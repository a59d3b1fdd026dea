#include "core/store/redis/tls_setup.h"

#include <QCoreApplication>
#include <QFile>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>

namespace ym {

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

QSslKey readKey(const QString &fileName)
{
    QFile file(fileName);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray pem = file.readAll();
    for (const auto algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        const QSslKey key(pem, algorithm);
        if (!key.isNull())
            return key;
    }
    return {};
}

} // namespace

Result<void> configureTls(QSslSocket &socket, const StoreAddress &address)
{
    if (!QSslSocket::supportsSsl())
        return failure(ErrorKind::Usage, say(QT_TRANSLATE_NOOP("ym::Redis", "This installation of Qt has no TLS.")));
    QSslConfiguration tls = socket.sslConfiguration();
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setPeerVerifyMode(address.insecureTls ? QSslSocket::VerifyNone : QSslSocket::VerifyPeer);
    if (!address.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities =
            QSslCertificate::fromPath(address.caFile, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString);
        if (authorities.isEmpty())
            return failure(
                ErrorKind::Usage,
                say(QT_TRANSLATE_NOOP("ym::Redis", "The CA file %1 holds no certificate.")).arg(address.caFile));
        tls.setCaCertificates(authorities);
    }
    if (!address.certificateFile.isEmpty()) {
        const QList<QSslCertificate> chain =
            QSslCertificate::fromPath(address.certificateFile, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString);
        const QSslKey key = readKey(address.keyFile);
        if (chain.isEmpty())
            return failure(ErrorKind::Usage,
                           say(QT_TRANSLATE_NOOP("ym::Redis", "The file %1 holds no client certificate."))
                               .arg(address.certificateFile));
        if (key.isNull())
            return failure(ErrorKind::Usage,
                           say(QT_TRANSLATE_NOOP("ym::Redis", "The file %1 holds no private key without a passphrase."))
                               .arg(address.keyFile));
        tls.setLocalCertificateChain(chain);
        tls.setPrivateKey(key);
    }
    socket.setSslConfiguration(tls);
    return {};
}

Error tlsHandshakeTrouble(const QString &words)
{
    static constexpr struct {
        const char *phrase;
        const char *message;
        const char *advice;
    } rows[] = {
        {"wrong version number", QT_TRANSLATE_NOOP("ym::Redis", "The server does not speak TLS."),
         QT_TRANSLATE_NOOP("ym::Redis", "Write redis:// instead of rediss://.")},
        {"packet length too long", QT_TRANSLATE_NOOP("ym::Redis", "The server does not speak TLS."),
         QT_TRANSLATE_NOOP("ym::Redis", "Write redis:// instead of rediss://.")},
        {"certificate required", QT_TRANSLATE_NOOP("ym::Redis", "The server wants a client certificate."),
         QT_TRANSLATE_NOOP("ym::Redis", "Set the certificate and the key of this connection.")},
        {"alert handshake failure", QT_TRANSLATE_NOOP("ym::Redis", "The server refused the TLS handshake."),
         QT_TRANSLATE_NOOP("ym::Redis", "It may want a client certificate.")},
        {"alert unknown ca", QT_TRANSLATE_NOOP("ym::Redis", "The server does not trust the client certificate."),
         QT_TRANSLATE_NOOP("ym::Redis", "Use a certificate that its CA has signed.")},
    };
    for (const auto &row : rows) {
        if (words.contains(QLatin1String(row.phrase), Qt::CaseInsensitive))
            return {ErrorKind::Authentication, say(row.message), say(row.advice), false};
    }
    return {ErrorKind::Authentication,
            say(QT_TRANSLATE_NOOP("ym::Redis", "The TLS handshake failed: %1.")).arg(words),
            {},
            false};
}

} // namespace ym
