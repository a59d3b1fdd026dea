#include "tests/support/random_commands.h"

#include <iterator>

namespace ym::test {

namespace {

// $s $l $h $t $z are keys of strings, lists, hashes, sets, sorted sets ($k of any kind, $y of sorted sets with equal
// scores), $v a value, $n an integer, $r a real number, $i an index, $c a small count, $f a field, $m a member, $b a
// score bound, $x a lexical bound, $e a time far in the future, $p a pattern, $S a script.
constexpr const char *templates[] = {
    "GET $s",
    "SET $s $v",
    "SET $s $n",
    "SET $s $r",
    "SET $s $v NX",
    "SET $s $v XX",
    "SET $s $v GET",
    "SET $s $v XX GET",
    "SET $s $v KEEPTTL",
    "SET $s $v PXAT $e",
    "SET $s $v EX 0",
    "SET $s $v EX -1",
    "SET $s $v NX XX",
    "SET $s $v EX 10 PX 10",
    "SET $s $v EX abc",
    "SET $s $v EX 9223372036854775807",
    "GETSET $s $v",
    "GETDEL $s",
    "GETEX $s",
    "GETEX $s PERSIST",
    "GETEX $s PXAT $e",
    "GETEX $s EXAT 1",
    "GETEX $s EX 0",
    "SETNX $s $v",
    "SETEX $s 0 $v",
    "PSETEX $s -1 $v",
    "SETEX $s x $v",
    "MGET $s $l $s",
    "MSET $s $v $s $v",
    "MSETNX $s $v $s $v",
    "APPEND $s $v",
    "STRLEN $s",
    "GETRANGE $s $i $i",
    "SUBSTR $s $i $i",
    "SETRANGE $s $c $v",
    "SETRANGE $s -1 $v",
    "SETRANGE $s 600000000 $v",
    "INCR $s",
    "DECR $s",
    "INCRBY $s $n",
    "DECRBY $s $n",
    "INCRBYFLOAT $s $r",
    "INCRBYFLOAT $s $r",
    "SET $s 10.5e3",
    "SET $s 9223372036854775807",
    "DECRBY $s -9223372036854775808",

    "HSET $h $f $v",
    "HSET $h $f $v $f $v",
    "HSET $h $f $n",
    "HSET $h $f",
    "HMSET $h $f $v $f $v",
    "HSETNX $h $f $v",
    "HGET $h $f",
    "HMGET $h $f $f",
    "HDEL $h $f",
    "HDEL $h $f $f $f",
    "HEXISTS $h $f",
    "HLEN $h",
    "HSTRLEN $h $f",
    "HGETALL $h",
    "HKEYS $h",
    "HVALS $h",
    "HINCRBY $h $f $n",
    "HINCRBYFLOAT $h $f $r",
    "HSCAN $h 0 COUNT 100000",
    "HSCAN $h 0 MATCH $p COUNT 100000",
    "HRANDFIELD $h 100000",
    "HRANDFIELD $h 0",
    "HRANDFIELD $h 10000 WITHVALUES",
    "HRANDFIELD $h x",
    "HSCAN $h x",

    "LPUSH $l $v",
    "RPUSH $l $v $v",
    "LPUSH $l $m $m $m",
    "RPUSH $l $m $m",
    "LPUSHX $l $v",
    "RPUSHX $l $v",
    "LPOP $l",
    "RPOP $l",
    "LPOP $l $c",
    "RPOP $l $c",
    "LPOP $l -1",
    "LPOP $l x",
    "LPOP $l 1 2",
    "LLEN $l",
    "LRANGE $l $i $i",
    "LRANGE $l 0 -1",
    "LTRIM $l $i $i",
    "LTRIM $l 0 -2",
    "LINDEX $l $i",
    "LSET $l $i $v",
    "LINSERT $l BEFORE $m $v",
    "LINSERT $l AFTER $m $v",
    "LINSERT $l x $m $v",
    "LREM $l $i $m",
    "LREM $l 0 $m",
    "LPOS $l $m",
    "LPOS $l $m RANK $i",
    "LPOS $l $m COUNT $c",
    "LPOS $l $m COUNT 0 RANK -1 MAXLEN $c",
    "LPOS $l $m RANK 0",
    "LPOS $l $m COUNT -1",
    "LPOS $l $m FOO 1",
    "LMOVE $l $l LEFT RIGHT",
    "LMOVE $l $l RIGHT LEFT",
    "LMOVE $l $l RIGHT RIGHT",
    "LMOVE $l $l UP LEFT",
    "RPOPLPUSH $l $l",
    "LMPOP 1 $l LEFT",
    "LMPOP 2 $l $l RIGHT COUNT $c",
    "LMPOP 0 $l LEFT",
    "LMPOP 3 $l LEFT",
    "LMPOP 1 $l LEFT COUNT 0",
    "LMPOP 1 $l UP",

    "SADD $t $m",
    "SADD $t $m $m $m",
    "SADD $t $n",
    "SADD $t 1 2 3",
    "SREM $t $m",
    "SREM $t $m $m",
    "SISMEMBER $t $m",
    "SMISMEMBER $t $m $m",
    "SCARD $t",
    "SMEMBERS $t",
    "SPOP $t 100000",
    "SPOP $t 0",
    "SPOP $t -1",
    "SRANDMEMBER $t 100000",
    "SRANDMEMBER $t 0",
    "SRANDMEMBER $t x",
    "SMOVE $t $t $m",
    "SINTER $t $t",
    "SUNION $t $t",
    "SDIFF $t $t",
    "SINTERSTORE $t $t $t",
    "SUNIONSTORE $t $t $t",
    "SDIFFSTORE $t $t $t",
    "SINTERCARD 2 $t $t",
    "SINTERCARD 2 $t $t LIMIT $c",
    "SINTERCARD 0 $t",
    "SINTERCARD 5 $t",
    "SINTERCARD 1 $t LIMIT -1",
    "SSCAN $t 0 COUNT 100000",
    "SSCAN $t 0 MATCH $p COUNT 100000",

    "ZADD $z $r $m",
    "ZADD $z $r $m $r $m",
    "ZADD $z $n $m",
    "ZADD $z NX $r $m",
    "ZADD $z XX CH $r $m",
    "ZADD $z GT $r $m",
    "ZADD $z LT CH $r $m",
    "ZADD $z INCR $r $m",
    "ZADD $z GT INCR $r $m",
    "ZADD $z NX XX 1 $m",
    "ZADD $z GT LT 1 $m",
    "ZADD $z x $m",
    "ZADD $z INCR 1 $m 2 $m",
    "ZADD $z 1",
    "ZADD $z 0 $m 0 $m 0 $m",
    "ZADD $y 0 $m 0 $m 0 $m",
    "ZADD $y 0 $m",
    "ZADD $z inf $m",
    "ZADD $z -inf $m",
    "ZINCRBY $z $r $m",
    "ZINCRBY $z inf $m",
    "ZREM $z $m",
    "ZREM $z $m $m",
    "ZCARD $z",
    "ZSCORE $z $m",
    "ZMSCORE $z $m $m",
    "ZRANK $z $m",
    "ZREVRANK $z $m",
    "ZRANGE $z $i $i",
    "ZRANGE $z 0 -1 WITHSCORES",
    "ZRANGE $z 0 -1 REV",
    "ZRANGE $z $b $b BYSCORE",
    "ZRANGE $z $b $b BYSCORE REV WITHSCORES LIMIT $c $i",
    "ZRANGE $y $x $x BYLEX",
    "ZRANGE $y $x $x BYLEX REV LIMIT 1 2",
    "ZRANGE $z 0 -1 LIMIT 0 1",
    "ZRANGE $z - + BYLEX WITHSCORES",
    "ZRANGE $z a b BYLEX",
    "ZRANGE $z a b BYSCORE",
    "ZREVRANGE $z $i $i WITHSCORES",
    "ZRANGEBYSCORE $z $b $b",
    "ZRANGEBYSCORE $z -inf +inf WITHSCORES LIMIT $c $c",
    "ZREVRANGEBYSCORE $z $b $b LIMIT $c $i",
    "ZRANGEBYLEX $y $x $x",
    "ZRANGEBYLEX $y $x $x LIMIT $c $c",
    "ZREVRANGEBYLEX $y $x $x",
    "ZRANGESTORE $z $z $i $i",
    "ZRANGESTORE $z $z $b $b BYSCORE LIMIT 0 $c",
    "ZCOUNT $z $b $b",
    "ZLEXCOUNT $y $x $x",
    "ZREMRANGEBYRANK $z $i $i",
    "ZREMRANGEBYSCORE $z $b $b",
    "ZREMRANGEBYLEX $y $x $x",
    "ZPOPMIN $z",
    "ZPOPMAX $z",
    "ZPOPMIN $z $c",
    "ZPOPMAX $z $c",
    "ZPOPMIN $z -1",
    "ZMPOP 1 $z MIN",
    "ZMPOP 2 $z $z MAX COUNT $c",
    "ZMPOP 0 $z MIN",
    "ZUNION 2 $z $z WITHSCORES",
    "ZINTER 2 $z $t WITHSCORES",
    "ZDIFF 2 $z $z WITHSCORES",
    "ZUNIONSTORE $z 2 $z $t WEIGHTS 2 $c AGGREGATE MAX",
    "ZINTERSTORE $z 2 $z $z AGGREGATE MIN",
    "ZDIFFSTORE $z 2 $z $z",
    "ZUNIONSTORE $z 0 $z",
    "ZUNION 1 $z WEIGHTS x",
    "ZUNION 3 $z",
    "ZSCAN $z 0 COUNT 100000",
    "ZRANDMEMBER $z 100000",
    "ZRANDMEMBER $z 0 WITHSCORES",
    "ZINTERCARD 2 $z $z",
    "ZINTERCARD 2 $z $z LIMIT $c",

    "DEL $k",
    "DEL $k $k",
    "UNLINK $k",
    "EXISTS $k $k $k",
    "TOUCH $k $k",
    "TYPE $k",
    "RENAME $k $k",
    "RENAMENX $k $k",
    "COPY $k $k",
    "COPY $k $k REPLACE",
    "COPY $k $k DB 0",
    "COPY $k $k DB 1",
    "COPY $k $k DB 2 REPLACE",
    "COPY $k $k DB 99",
    "COPY $k $k DB x",
    "EXPIREAT $k 4102444800",
    "PEXPIREAT $k $e",
    "PEXPIREAT $k $e NX",
    "PEXPIREAT $k $e XX",
    "PEXPIREAT $k $e GT",
    "PEXPIREAT $k $e LT",
    "PEXPIREAT $k $e NX XX",
    "PEXPIREAT $k $e GT LT",
    "PEXPIREAT $k $e FOO",
    "EXPIRE $k -1",
    "EXPIRE $k 0",
    "EXPIRE $k x",
    "EXPIRE $k 9223372036854775807",
    "PERSIST $k",
    "PEXPIRETIME $k",
    "EXPIRETIME $k",
    "TTL nokey",
    "KEYS *",
    "KEYS $p",
    "DBSIZE",
    "SCAN 0 COUNT 100000",
    "SCAN 0 MATCH $p COUNT 100000",
    "SCAN 0 TYPE list COUNT 100000",
    "SCAN 0 COUNT 0",
    "SCAN x",
    "OBJECT ENCODING $l",
    "OBJECT ENCODING $h",
    "OBJECT ENCODING $t",
    "OBJECT ENCODING $z",
    "OBJECT FOO $k",
    "OBJECT ENCODING",
    "PING",
    "PING $v",
    "PING a b",
    "ECHO $v",
    "SELECT 0",
    "SELECT 0",
    "SELECT 1",
    "SELECT 2",
    "SELECT 99",
    "SELECT x",
    "SWAPDB 0 1",
    "SWAPDB 1 2",
    "SWAPDB 0 99",
    "SWAPDB x y",
    "MOVE $k 0",
    "MOVE $k 1",
    "MOVE $k 2",
    "MOVE $k 99",
    "MOVE $k x",
    "NOSUCHCOMMAND",
    "NOSUCHCOMMAND $v $v",
    "PUBLISH $v $v",
    "EXEC",
    "DISCARD",
    "UNWATCH",
    "SCRIPT EXISTS abc",
    "SCRIPT FOO",
    "EVALSHA abc 0",
    "EVAL $S",
    "EVAL $S",
    "EVAL $S",
    "EVAL $S",
    "EVAL $S",
    "EVAL_RO $S",
    "CLIENT SETNAME a\xffz",
    "CLIENT FOO",
    "CLIENT GETNAME",
    "PUBSUB NUMSUB x",
    "PUBSUB FOO",
    "FLUSHALL FOO",
    "WAIT 0 x",
};

constexpr const char *blockingTemplates[] = {
    "BLPOP $l $l 0",          "BRPOP $l 0.5",          "BLPOP $l -1",   "BLPOP $l x",       "BLMOVE $l $l LEFT RIGHT 0",
    "BRPOPLPUSH $l $l 1",     "BLMPOP 1 2 $l $l LEFT", "BZPOPMIN $z 0", "BZPOPMAX $z $z 0", "BZMPOP 0 1 $z MIN",
    "BLMOVE $l $l LEFT UP 0",
};

/// Script and the rest of its words, with the same marks as above.
struct ScriptRow {
    const char *text;
    const char *words;
};
constexpr ScriptRow scripts[] = {
    {"return redis.call('GET', KEYS[1])", "1 $s"},
    {"return redis.call('SET', KEYS[1], ARGV[1])", "1 $s $v"},
    {"return redis.call('LPUSH', KEYS[1], ARGV[1])", "1 $k $v"},
    {"return redis.pcall('LPUSH', KEYS[1], ARGV[1])", "1 $k $v"},
    {"local r = redis.pcall('INCR', KEYS[1]) if type(r) == 'table' then return {err = 'MINE ' .. r.err} end return r",
     "1 $k"},
    {"return redis.call('LRANGE', KEYS[1], 0, -1)", "1 $k"},
    {"return {1, 2.9, -3.9, 'x', true, false, {ok = 'FINE'}, {err = 'BAD thing'}, nil, 5}", "0"},
    {"return {KEYS, ARGV}", "2 $k $k $v $n"},
    {"return redis.error_reply(ARGV[1])", "0 $v"},
    {"return redis.error_reply('TWO words')", "0"},
    {"return redis.status_reply('FINE')", "0"},
    {"return redis.sha1hex(ARGV[1])", "0 $v"},
    {"return nosuchglobal", "0"},
    {"x = 1", "0"},
    {"redis.call = 1", "0"},
    {"rawset(_G, 'x', 1)", "0"},
    {"setmetatable(_G, {})", "0"},
    {"return redis.call()", "0"},
    {"return redis.call('GET', {})", "0"},
    {"return redis.call('NOSUCH', 1)", "0"},
    {"return redis.call('GET')", "0"},
    {"return redis.call('MULTI')", "0"},
    {"return redis.call('BLPOP', KEYS[1], 0)", "1 $l"},
    {"return redis.call('OBJECT', 'FOO')", "0"},
    {"error('boom')", "0"},
    {"local function f() error({err = 'MY error'}) end\nf()", "0"},
    {"return 1 +", "0"},
    {"redis.call('SET', KEYS[1], 'half') error('after the write')", "1 $s"},
    {"local ok, e = pcall(redis.call, 'LPUSH', KEYS[1], 'x') return {tostring(ok), tostring(e)}", "1 $s"},
    {"local ok, e = pcall(function() return nosuch end) return e", "0"},
    {"return cjson.encode({1, 2, 'x', {a = cjson.null}})", "0"},
    {"return cjson.decode(ARGV[1]).a[2]", "0 {\"a\":[1,\"two\"]}"},
    {"return cjson.decode(ARGV[1])", "0 [1,null"},
    {"return {bit.band(7, 3), bit.tohex(255), tonumber('0x10')}", "0"},
    {"return #ARGV[1] + #KEYS[1]", "1 $k $v"},
    {"for i = 1, 20 do redis.call('RPUSH', KEYS[1], i, ARGV[1]) end return redis.call('LLEN', KEYS[1])", "1 $l $m"},
    {"for i = 1, 200 do redis.call('HSET', KEYS[1], 'f' .. i, i) end return redis.call('HLEN', KEYS[1])", "1 $h"},
    {"for i = 1, 200 do redis.call('ZADD', KEYS[1], i % 7, 'm' .. i) end return redis.call('ZRANGE', KEYS[1], 90, 110, "
     "'WITHSCORES')",
     "1 $z"},
    {"for i = 1, 600 do redis.call('SADD', KEYS[1], i) end return redis.call('SCARD', KEYS[1])", "1 $t"},
    {"return redis.call('SET', KEYS[1], 1.5)", "1 $s"},
    {"return redis.call('INCRBY', KEYS[1], 10 / 2)", "1 $s"},
    {"return {double = 3.25}", "0"},
    {"return {ok = 1}", "0"},
    {"#!lua flags=no-writes\nreturn redis.call('SET', KEYS[1], 1)", "1 $s"},
    {"#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], 1)", "1 $s"},
    {"#!lua flags=nosuch\nreturn 1", "0"},
    {"#!lua name=x\nreturn 1", "0"},
    {"#!python\nreturn 1", "0"},
    {"#!lua", "0"},
    {"return 1", "5 $k"},
    {"return 1", "-1"},
    {"return 1", "x"},
    {"return string.format('%d %s %5.2f', 7, 'x', 1.005)", "0"},
    {"local t = {} for w in string.gmatch(ARGV[1], '%a+') do table.insert(t, w) end table.sort(t) return t",
     "0 the,quick,brown"},
    {"return {tostring(nil), type(redis), type(KEYS), select('#', unpack(ARGV))}", "0 $v $v"},
    {"return redis.call('TYPE', KEYS[1])", "1 $k"},
    {"return redis.call('TYPE', KEYS[1]).ok", "1 $k"},
    {"return redis.call('EXISTS', KEYS[1]) == 1", "1 $k"},
    {"redis.call('SELECT', ARGV[1]) return redis.call('SET', KEYS[1], 'elsewhere')", "1 $s $c"},
    {"return redis.call('HMGET', KEYS[1], 'f1', ARGV[1], 'nosuch')", "1 $h $f"},
    {"return loadstring('return 7')()", "0"},
    {"return redis.setresp(5)", "0"},
    {"return redis.log(9, 'x')", "0"},
    {"return {redis.REDIS_VERSION_NUM > 0, redis.LOG_WARNING}", "0"},
    {"return math.floor(3.7) + math.max(1, 2)", "0"},
    {"return tostring(print)", "0"},
    {"return os.time()", "0"},
    {"return 1e300", "0"},
    {"return function() end", "0"},
};

} // namespace

RandomCommands::RandomCommands(quint32 seed)
    : m_random(seed)
{
}

QByteArray RandomCommands::key(char kind)
{
    static constexpr char kinds[] = {'s', 'l', 'h', 't', 'z'};
    if (kind == 'k' || (kind != 'y' && below(25) == 0))
        kind = kinds[below(5)];
    return kind + QByteArray::number(below(4));
}

QByteArray RandomCommands::value()
{
    switch (below(8)) {
    case 0:
        return {};
    case 1:
        return number();
    case 2: {
        QByteArray bytes;
        for (int i = below(20); i > 0; --i)
            bytes.append(char(below(256)));
        return bytes;
    }
    case 3:
        return "line\r\n*1\r\n$4\r\nPING\r\n";
    case 4:
        return QByteArray(60 + below(10), 'x');
    case 5:
        return QByteArray(below(40) == 0 ? 9000 : 260, char('a' + below(3)));
    default:
        return "word" + QByteArray::number(below(10));
    }
}

QByteArray RandomCommands::number()
{
    static constexpr const char *odd[] = {"9223372036854775807",
                                          "-9223372036854775808",
                                          "007",
                                          "-0",
                                          "+1",
                                          " 1",
                                          "1 ",
                                          "9223372036854775808",
                                          "0x10",
                                          "1e3"};
    return below(6) == 0 ? QByteArray(odd[below(std::size(odd))]) : QByteArray::number(below(200) - 100);
}

QByteArray RandomCommands::real()
{
    static constexpr const char *odd[] = {"nan", "inf",   "-inf", "1e20",  "-1.5e-7", "0.1",
                                          "3.0", "1e400", "abc",  "0x1p3", "-0",      "1e17"};
    return below(5) == 0 ? QByteArray(odd[below(std::size(odd))])
                         : QByteArray::number(double(below(4000) - 2000) / 8, 'g', 10);
}

QByteArray RandomCommands::token(char kind)
{
    switch (kind) {
    case 'v':
        return value();
    case 'n':
        return number();
    case 'r':
        return real();
    case 'i':
        return below(30) == 0 ? number() : QByteArray::number(below(14) - 7);
    case 'c':
        return QByteArray::number(below(6));
    case 'f':
        return below(10) == 0 ? value() : "f" + QByteArray::number(below(12));
    case 'm':
        return below(10) == 0 ? value() : QByteArray(1, char('a' + below(8)));
    case 'b': {
        const QByteArray bound = below(6) == 0 ? QByteArray(below(2) ? "-inf" : "+inf") : real();
        return below(4) == 0 ? '(' + bound : bound;
    }
    case 'x': {
        static constexpr const char *bounds[] = {"-", "+", "[a", "[d", "(b", "(e", "[", "(", "a", "[m15"};
        return bounds[below(std::size(bounds))];
    }
    case 'e':
        return QByteArray::number(4'000'000'000'000 + below(1000));
    case 'p': {
        static constexpr const char *patterns[] = {"*",    "l*",      "?1",  "[sl]*", "[^s]*", "h[0-1]",
                                                   "\\s1", "nothing", "f1*", "*[",    "a",     ""};
        return patterns[below(std::size(patterns))];
    }
    default:
        return key(kind);
    }
}

RandomCommands::Words RandomCommands::fromTemplate(const char *text)
{
    Words words;
    for (const QByteArray &part : QByteArray(text).split(' ')) {
        if (part == "$S") {
            const ScriptRow &row = scripts[below(std::size(scripts))];
            words << row.text << fromTemplate(row.words);
        } else {
            words << (part.startsWith('$') && part.size() == 2 ? token(part[1]) : part);
        }
    }
    return words;
}

/// Makes a command wrong in a way that people do.
void RandomCommands::spoil(Words &words)
{
    // With other numbers these replies would be left to chance, to the clock or to the order of a table.
    const QByteArray verb = words.first();
    if (verb.contains("RAND") || verb == "SPOP" || verb.contains("SCAN") || verb.contains("EXPIRE")
        || verb.contains("EX"))
        return;
    if (words.size() > 1 && words[1].startsWith('y'))
        return; // lexical intervals mean nothing where scores differ
    switch (below(4)) {
    case 0:
        if (words.size() > 1)
            words.removeLast();
        return;
    case 1:
        words.append(value());
        return;
    case 2:
        words[0] = below(2) ? words[0].toLower() : words[0] + "X";
        return;
    default:
        if (words.size() > 1)
            words[1 + below(int(words.size()) - 1)] = value();
    }
}

RandomCommands::Words RandomCommands::command()
{
    Words words = fromTemplate(templates[below(std::size(templates))]);
    if (below(25) == 0)
        spoil(words);
    return words;
}

QList<RandomCommands::Words> RandomCommands::transaction()
{
    QList<Words> all;
    if (below(3) == 0)
        all.append({"WATCH", key('k')});
    if (below(4) == 0)
        all.append(command());
    all.append({"MULTI"});
    for (int i = 1 + below(5); i > 0; --i) {
        Words words = below(4) == 0 ? fromTemplate(blockingTemplates[below(std::size(blockingTemplates))]) : command();
        const QByteArray verb = words.first().toUpper();
        if (verb != "EXEC" && verb != "DISCARD") // behind these a blocking command would really block
            all.append(std::move(words));
    }
    all.append({below(8) == 0 ? "DISCARD" : "EXEC"});
    return all;
}

QList<RandomCommands::Words> RandomCommands::next()
{
    if (below(30) == 0)
        return transaction();
    return {command()};
}

bool RandomCommands::isUnordered(const Words &words)
{
    static const QList<QByteArray> verbs{"SMEMBERS", "SINTER", "SUNION",     "SDIFF",      "SPOP", "SRANDMEMBER",
                                         "HGETALL",  "HKEYS",  "HVALS",      "KEYS",       "SCAN", "HSCAN",
                                         "SSCAN",    "ZSCAN",  "HRANDFIELD", "ZRANDMEMBER"};
    return verbs.contains(words.first().toUpper());
}

} // namespace ym::test
