#include "core/store/store_address.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <QUrl>

#include <arpa/inet.h>

namespace ym {

namespace {

// Nothing of the given text is ever put into a message unless it has been recognised as a harmless host name: a
// mistyped URL may hold the password anywhere (RELIABILITY 6.6).
QString say(const char *text)
{
    return QCoreApplication::translate("ym::StoreAddress", text);
}

QString forms()
{
    return say(
        QT_TRANSLATE_NOOP("ym::StoreAddress",
                          "Write redis://HOST:PORT/DB, rediss://HOST:PORT/DB, unix:PATH, embedded:FOLDER or memory:."));
}

[[noreturn]] void refuse(const QString &message, const QString &advice = {})
{
    throw StoreError(ErrorKind::Usage, message, advice);
}

/// Undoes %XX. A lone per cent sign is an error, because the reader cannot know what was meant.
QString decoded(const QString &text)
{
    static const QRegularExpression broken(QStringLiteral("%(?![0-9A-Fa-f]{2})"));
    if (text.contains(broken))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                     "A “%” in the address must be followed by two hexadecimal digits.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write a per cent sign itself as %25.")));
    const QString plain = QUrl::fromPercentEncoding(text.toUtf8());
    if (plain.contains(QChar(0)))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address contains a zero byte.")));
    return plain;
}

int numberIn(const QString &digits, int first, int last, const QString &complaint)
{
    static const QRegularExpression decimal(QStringLiteral("^[0-9]{1,9}$"));
    const int value = decimal.match(digits).hasMatch() ? digits.toInt() : -1;
    if (value < first || value > last)
        refuse(complaint);
    return value;
}

int databaseIn(const QString &digits)
{
    return numberIn(digits, 0, 65535,
                    say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The database must be a number from 0 to 65535.")));
}

quint16 portIn(const QString &digits)
{
    return quint16(numberIn(digits, 1, 65535,
                            say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The port must be a number from 1 to 65535."))));
}

void readUserInfo(StoreAddress &address, const QString &text)
{
    const qsizetype colon = text.indexOf(u':');
    address.user = decoded(colon < 0 ? text : text.left(colon));
    if (colon >= 0)
        address.password = decoded(text.mid(colon + 1));
}

/// Takes "user:password@" off the front of an authority.
QString withoutUserInfo(StoreAddress &address, const QString &authority)
{
    const qsizetype at = authority.indexOf(u'@');
    if (at < 0)
        return authority;
    if (authority.indexOf(u'@', at + 1) >= 0)
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "There is more than one “@” in the address.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write an “@” inside the user or the password as %40.")));
    readUserInfo(address, authority.left(at));
    return authority.mid(at + 1);
}

void readHost(StoreAddress &address, const QString &text)
{
    static const QRegularExpression forbidden(QStringLiteral("[\\s\\x00-\\x20\\x7f\"'<>\\\\^`{|}()*,;!$&=+%]"));
    address.host = text;
    if (text.isEmpty())
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The host is missing.")), forms());
    if (text.contains(forbidden) || text.size() > 255)
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The host contains a character that no host name has.")));
}

/// An IPv6 address, with or without the zone of a link-local one (fe80::1%eth0).
bool isIpv6(const QString &text)
{
    in6_addr parsed;
    return ::inet_pton(AF_INET6, text.section(u'%', 0, 0).toLatin1().constData(), &parsed) == 1;
}

void readBracketedHost(StoreAddress &address, const QString &text, qsizetype close)
{
    const QString host = decoded(text.mid(1, close - 1));
    if (!isIpv6(host))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "What stands in brackets is not an IPv6 address.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write it like redis://[::1]:6379.")));
    address.host = host;
    const QString rest = text.mid(close + 1);
    if (rest.isEmpty())
        return;
    if (!rest.startsWith(u':'))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Only “:PORT” may follow an IPv6 address in brackets.")));
    address.port = portIn(rest.mid(1));
}

void readHostAndPort(StoreAddress &address, const QString &text)
{
    if (text.startsWith(u'[')) {
        const qsizetype close = text.indexOf(u']');
        if (close < 0)
            refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The closing bracket of the IPv6 address is missing.")),
                   say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write it like redis://[::1]:6379.")));
        readBracketedHost(address, text, close);
        return;
    }
    const qsizetype colon = text.indexOf(u':');
    if (colon >= 0 && text.indexOf(u':', colon + 1) >= 0)
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "There are too many colons behind the host.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                     "Write a database as redis://HOST:PORT/DB and an IPv6 address in brackets.")));
    readHost(address, colon < 0 ? text : text.left(colon));
    if (colon >= 0)
        address.port = portIn(text.mid(colon + 1));
}

bool truth(const QString &value)
{
    if (value == u"1" || value == u"true" || value == u"yes")
        return true;
    if (value == u"0" || value == u"false" || value == u"no")
        return false;
    refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "“insecure” must be 1 or 0.")));
}

struct Parameter {
    const char *name;
    bool tlsOnly;
    void (*set)(StoreAddress &, const QString &);
};

constexpr Parameter parameters[] = {
    {"db", false, [](StoreAddress &a, const QString &v) { a.database = databaseIn(v); }},
    {"ca", true, [](StoreAddress &a, const QString &v) { a.caFile = v; }},
    {"cert", true, [](StoreAddress &a, const QString &v) { a.certificateFile = v; }},
    {"key", true, [](StoreAddress &a, const QString &v) { a.keyFile = v; }},
    {"sni", true, [](StoreAddress &a, const QString &v) { a.serverName = v; }},
    {"insecure", true, [](StoreAddress &a, const QString &v) { a.insecureTls = truth(v); }},
};

void setParameter(StoreAddress &address, QStringList &seen, const QString &name, const QString &value)
{
    for (const Parameter &parameter : parameters) {
        if (name != QLatin1String(parameter.name))
            continue;
        if (seen.contains(name))
            refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "“%1” is given twice.")).arg(name));
        if (parameter.tlsOnly && address.kind != StoreAddress::Kind::Tls)
            refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "“%1” is for TLS only; write rediss:// to use it."))
                       .arg(name));
        if (value.isEmpty())
            refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "“%1” has no value.")).arg(name));
        seen << name;
        parameter.set(address, value);
        return;
    }
    refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address has an unknown parameter behind the “?”.")),
           say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                 "Known are db, ca, cert, key, sni and insecure; a password goes before the host.")));
}

void readQuery(StoreAddress &address, const QString &query, bool databaseGiven)
{
    QStringList seen;
    if (databaseGiven)
        seen << QStringLiteral("db");
    for (const QString &part : query.split(u'&', Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(u'=');
        setParameter(address, seen, decoded(part.left(equals < 0 ? part.size() : equals)),
                     equals < 0 ? QString() : decoded(part.mid(equals + 1)));
    }
    if (address.certificateFile.isEmpty() != address.keyFile.isEmpty())
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "“cert” and “key” go together; one of them is missing.")));
}

struct Parts {
    QString path;
    QString query;
};

Parts splitQuery(const QString &text)
{
    const qsizetype mark = text.indexOf(u'?');
    return {mark < 0 ? text : text.left(mark), mark < 0 ? QString() : text.mid(mark + 1)};
}

void readServer(StoreAddress &address, const QString &rest)
{
    if (!rest.startsWith(u"//"))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Two slashes must stand before the host.")), forms());
    const Parts parts = splitQuery(rest.mid(2));
    const qsizetype slash = parts.path.indexOf(u'/');
    const QString tail = slash < 0 ? QString() : parts.path.mid(slash + 1);
    if (tail.contains(u'@') || parts.query.contains(u'@'))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "An “@” stands behind the host.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                     "In a user or password write “/” as %2F, “?” as %3F and “@” as %40.")));
    readHostAndPort(address, withoutUserInfo(address, slash < 0 ? parts.path : parts.path.left(slash)));
    if (!tail.isEmpty())
        address.database = databaseIn(tail);
    readQuery(address, parts.query, !tail.isEmpty());
}

void readUnix(StoreAddress &address, const QString &rest)
{
    Parts parts = splitQuery(rest);
    if (parts.path.startsWith(u"//")) { // unix://[user:password@]/path
        const QString authority = parts.path.mid(2, parts.path.indexOf(u'/', 2) - 2);
        if (!withoutUserInfo(address, authority).isEmpty())
            refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "A unix socket has no host.")),
                   say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write unix:/PATH?db=N.")));
        parts.path = parts.path.mid(2 + authority.size());
    }
    address.path = decoded(parts.path);
    if (address.path.isEmpty())
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The path of the socket is missing.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write unix:/PATH?db=N.")));
    if (address.path.toUtf8().size() > 107) // sockaddr_un
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                     "The path of the socket is longer than the 107 bytes a unix socket may have.")));
    readQuery(address, parts.query, false);
}

void readEmbedded(StoreAddress &address, const QString &rest)
{
    address.folder = decoded(rest.startsWith(u"//") ? rest.mid(2) : rest);
}

void readMemory(StoreAddress &, const QString &rest)
{
    if (!rest.isEmpty())
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Nothing may follow “memory:”.")));
}

struct Scheme {
    const char *name;
    StoreAddress::Kind kind;
    void (*read)(StoreAddress &, const QString &);
};

constexpr Scheme schemes[] = {
    {"embedded", StoreAddress::Kind::Embedded, readEmbedded},
    {"memory", StoreAddress::Kind::Memory, readMemory},
    {"redis", StoreAddress::Kind::Tcp, readServer},
    {"rediss", StoreAddress::Kind::Tls, readServer},
    {"unix", StoreAddress::Kind::Unix, readUnix},
};

/// The text has no scheme that we know: guess what was meant, and repeat only what cannot be a secret.
[[noreturn]] void refuseUnknown(const QString &text)
{
    static const QRegularExpression plainHost(
        QStringLiteral("^([A-Za-z0-9.-]{1,253})(?::([0-9]{1,5}))?(?::([0-9]{1,5}))?$"));
    if (text.startsWith(u'/') || text.startsWith(u'.') || text.startsWith(u'~'))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address is a bare path.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                     "Write unix:PATH for a socket or embedded:FOLDER for a workspace.")));
    if (text.startsWith(u'['))
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address is a bare IPv6 address.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write it like redis://[::1]:6379.")));
    if (const auto match = plainHost.match(text); match.hasMatch()) {
        QString url = QStringLiteral("redis://") + match.captured(1);
        if (!match.captured(2).isEmpty())
            url += u':' + match.captured(2);
        if (!match.captured(3).isEmpty())
            url += u'/' + match.captured(3);
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address does not say what kind of store it is.")),
               say(QT_TRANSLATE_NOOP("ym::StoreAddress", "Write %1.")).arg(url));
    }
    refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress",
                                 "The address does not begin with a kind of store that Yardmaster knows.")),
           forms());
}

StoreAddress parsed(const QString &text)
{
    if (text.isEmpty())
        refuse(say(QT_TRANSLATE_NOOP("ym::StoreAddress", "The address of the store is empty.")), forms());
    const qsizetype colon = text.indexOf(u':');
    const QString name = colon < 0 ? QString() : text.left(colon).toLower();
    for (const Scheme &scheme : schemes) {
        if (name != QLatin1String(scheme.name))
            continue;
        StoreAddress address;
        address.kind = scheme.kind;
        scheme.read(address, text.mid(colon + 1));
        return address;
    }
    refuseUnknown(text);
}

QString encoded(const QString &text, const QByteArray &keep = {})
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text, keep));
}

QString queryOf(const StoreAddress &address)
{
    QStringList query;
    const auto add = [&query](const char *name, const QString &value) {
        if (!value.isEmpty())
            query << QLatin1String(name) + u'=' + encoded(value, "/:");
    };
    if (address.kind == StoreAddress::Kind::Unix && address.database != 0)
        add("db", QString::number(address.database));
    if (address.kind == StoreAddress::Kind::Tls) {
        add("ca", address.caFile);
        add("cert", address.certificateFile);
        add("key", address.keyFile);
        add("sni", address.serverName);
        add("insecure", address.insecureTls ? QStringLiteral("1") : QString());
    }
    return query.isEmpty() ? QString() : u'?' + query.join(u'&');
}

QString serverUrl(const StoreAddress &address, const QString &scheme)
{
    QString url = scheme + QStringLiteral("://");
    if (!address.user.isEmpty())
        url += encoded(address.user) + u'@';
    url += address.host.contains(u':') ? u'[' + encoded(address.host, ":") + u']' : address.host;
    if (address.port != StoreAddress{}.port)
        url += u':' + QString::number(address.port);
    if (address.database != 0)
        url += u'/' + QString::number(address.database);
    return url + queryOf(address);
}

QString unixUrl(const StoreAddress &address)
{
    const QString path = encoded(address.path, "/:");
    const QString head =
        address.user.isEmpty() ? QStringLiteral("unix:") : QStringLiteral("unix://") + encoded(address.user) + u'@';
    return head + path + queryOf(address);
}

} // namespace

Result<StoreAddress> parseStoreAddress(const QString &url)
{
    try {
        return parsed(url.trimmed());
    } catch (const StoreError &e) {
        return tl::unexpected<Error>(e.error());
    }
}

QString toUrl(const StoreAddress &address)
{
    switch (address.kind) {
    case StoreAddress::Kind::Embedded:
        return QStringLiteral("embedded:") + encoded(address.folder, "/:");
    case StoreAddress::Kind::Memory:
        return QStringLiteral("memory:");
    case StoreAddress::Kind::Tcp:
        return serverUrl(address, QStringLiteral("redis"));
    case StoreAddress::Kind::Tls:
        return serverUrl(address, QStringLiteral("rediss"));
    case StoreAddress::Kind::Unix:
        return unixUrl(address);
    }
    return {};
}

} // namespace ym
