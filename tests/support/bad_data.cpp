#include "tests/support/bad_data.h"

#include "core/protocol/hero/keys.h"

namespace ym::test {

namespace {

constexpr qsizetype megabyte = 1 << 20;

QByteArray idOf(size_t number)
{
    return "0bad0bad-0000-4000-8000-" + QByteArray::number(qulonglong(number)).rightJustified(12, '0');
}

Command goodRecord(const QByteArray &id)
{
    return cmd("HSET", hero::keys::job(id), "id", id, "caller_id", "c", "context_id", "x", "script_type", "python",
               "script", "print(1)", "timeout", "30", "retries", "0", "concurrent", "false", "status", "dispatched",
               "created_at", "2026-11-21T10:00:00.000Z", "updated_at", "2026-11-21T10:00:00.000Z");
}

class Rows {
public:
    /// A good record with these fields instead.
    void fields(const char *name, const QList<QByteArray> &pairs)
    {
        const QByteArray id = idOf(list.size());
        Command change = cmd("HSET", hero::keys::job(id));
        list.push_back({name, {goodRecord(id), change.addAll(pairs)}, id});
    }
    /// A good record without these fields.
    void without(const char *name, const QList<QByteArray> &names)
    {
        const QByteArray id = idOf(list.size());
        Command change = cmd("HDEL", hero::keys::job(id));
        list.push_back({name, {goodRecord(id), change.addAll(names)}, id});
    }
    void id(const char *name, const QByteArray &id) { list.push_back({name, {goodRecord(id)}, id}); }
    /// Something else in the place of a record; the command's second word is the key.
    void other(const char *name, const char *verb, const QList<QByteArray> &values)
    {
        const QByteArray id = idOf(list.size());
        Command write = cmd(verb, hero::keys::job(id));
        list.push_back({name, {write.addAll(values)}, id, false});
    }

    std::vector<BadData> list;
};

void addStates(Rows &rows)
{
    rows.other("D1 a string in the place of a job", "SET", {"x"});
    rows.other("D1 a list in the place of a job", "RPUSH", {"x", "y"});
    rows.other("D1 a set in the place of a job", "SADD", {"x"});
    rows.other("D1 a sorted set in the place of a job", "ZADD", {"1", "x"});
    rows.other("D1 a stream in the place of a job", "XADD", {"*", "field", "x"});
    rows.without("D2 no status", {"status"});
    rows.without("D2 no script", {"script"});
    rows.without("D2 no id", {"id"});
    rows.without("D2 hardly a field",
                 {"id", "caller_id", "context_id", "script_type", "script", "status", "created_at"});
    rows.fields("D2 empty fields", {"script", "", "status", "", "caller_id", "", "timeout", "", "created_at", ""});
    rows.fields("D4 another case", {"status", "Finished"});
    rows.fields("D4 a space behind", {"status", "FINISHED "});
    rows.fields("D4 a slip of the pen", {"status", "dispached"});
    rows.fields("D4 a megabyte of status", {"status", QByteArray(megabyte, 's')});
    rows.id("D5 a path", "../../etc");
    rows.id("D5 colons", "a:b");
    rows.id("D5 nothing", "");
    rows.id("D5 64 KiB of id", QByteArray(64 << 10, 'i'));
    rows.id("D5 a NUL", QByteArray("nul\0inside", 10));
    rows.id("D5 a line feed", "line\nfeed");
    rows.id("D5 braces", "{}");
    rows.id("D27 no UTF-8", QByteArray("\xff\xfe\x80"));
}

void addNumbers(Rows &rows)
{
    for (const char *value : {"-1", "0", "1e9", "NaN", "abc", "99999999999999999999"})
        rows.fields("D6 a timeout", {"timeout", value});
    for (const char *value : {"-5", "4294967296"})
        rows.fields("D7 retries", {"retries", value});
    for (const char *value : {"TRUE", "yes", "2"})
        rows.fields("D8 concurrent", {"concurrent", value});
    for (const char *value : {"", "0000-00-00", "292277026596-12-04T15:30:08Z", "2026-11-21 10:00:00", "1700000000"})
        rows.fields("D9 created_at", {"created_at", value});
    rows.fields("D9 in the future", {"created_at", "2100-01-01T00:00:00Z", "updated_at", "2100-01-01T00:00:00Z"});
    rows.fields("a priority that is none", {"priority", "first"});
    rows.fields("an attempt that is none", {"attempt", "many"});
}

void addLists(Rows &rows)
{
    rows.fields("D10 no JSON", {"env_vars", "{"});
    rows.fields("D10 an array", {"env_vars", "[1]"});
    rows.fields("D10 nested", {"env_vars", R"({"A":{"B":1}})"});
    rows.fields("D10 names that no environment carries",
                {"env_vars", R"({"LD_PRELOAD":"x","A=B":"y","":"z","N":"a\u0000b"})"});
    QByteArray many = "{";
    for (int i = 0; i < 20'000; ++i)
        many += (i ? ",\"K" : "\"K") + QByteArray::number(i) + "\":\"v\"";
    rows.fields("D10 twenty thousand variables", {"env_vars", many + '}'});
    rows.fields("D10 nested a hundred thousand deep", {"env_vars", QByteArray(100'000, '[')});
    rows.fields("D11 itself", {"prerequisites", "[\"" + idOf(rows.list.size()) + "\"]"});
    const size_t first = rows.list.size(); // each names the next one, the last names the first
    for (size_t i = 0; i < 3; ++i)
        rows.fields("D11 a circle of three", {"prerequisites", "[\"" + idOf(first + (i + 1) % 3) + "\"]", "status", "waiting_for_prerequisites"});
    rows.fields("D11 no JSON", {"prerequisites", "[\"a\""});
    rows.fields("D11 twice the same", {"prerequisites", R"(["p","p","p"])"});
    rows.fields("D11 missing", {"prerequisites", R"(["nowhere"])", "status", "waiting_for_prerequisites"});
    rows.fields("D11 both spellings disagree", {"prerequisites", R"(["a"])", "dependencies", "b,c"});
    QByteArray ids = "[\"p0\"";
    for (int i = 1; i < 20'000; ++i)
        ids += ",\"p" + QByteArray::number(i) + '"';
    rows.fields("D11 twenty thousand", {"prerequisites", ids + ']', "status", "waiting_for_prerequisites"});
}

void addTexts(Rows &rows)
{
    const QByteArray line(megabyte, 'l');
    rows.fields("D12 nothing", {"script", ""});
    rows.fields("D12 a line of a megabyte", {"script", line});
    rows.fields("D12 no UTF-8, NUL, CRLF and BOM", {"script", QByteArray("\xef\xbb\xbfprint(1)\r\n\0\xff\xfe", 17)});
    rows.fields("D12 shebang of another language", {"script", "#!/usr/bin/perl\nprint 1"});
    rows.fields("D13 a megabyte of output", {"status", "finished", "output", line});
    rows.fields("D13 colours and progress", {"status", "finished", "output", "\x1b[31mred\x1b[0m\r10 %\r20 %\x07\n"});
    rows.fields("D13 bidi and half characters",
                {"status", "finished", "output", QByteArray("\xe2\x80\xae evil \xed\xa0\x80 \xf0\x9f\x92")});
    rows.fields("D13 an error of markup", {"status", "error", "error", "<img src=x onerror=alert(1)><b>%1 %2 &File"});
    for (const char *path : {"../..", "/etc/shadow", "/dev/zero", "/proc/self/environ", "", "file:///etc/passwd"})
        rows.fields("D14 a log path", {"log_path", path});
    rows.fields("D14 5000 characters", {"log_path", QByteArray(5'000, 'p')});
    for (const char *field :
         {"caller_id", "context_id", "worker_id", "group", "instance", "claimed_by", "script_type"}) {
        rows.fields("D15 markup", {field, "<img src='file:///x'>%1 %2 &File\n\"'"});
        rows.fields("D15 long and right to left",
                    {field, QByteArray("\xd7\xa9\xd7\x9c\xf0\x9f\x98\x80").repeated(1'000)});
    }
    rows.fields("an unknown field", {"colour", "green", QByteArray("\xff\x00", 2), "bytes"});
}

Command pushMany(const QByteArray &key, int count)
{
    Command push = cmd("RPUSH", key);
    for (int i = 0; i < count; ++i)
        push.add("unknown-" + QByteArray::number(i));
    return push;
}

} // namespace

const std::vector<BadData> &badJobs()
{
    static const std::vector<BadData> all = [] {
        Rows rows;
        addStates(rows);
        addNumbers(rows);
        addLists(rows);
        addTexts(rows);
        return rows.list;
    }();
    return all;
}

const std::vector<BadData> &badSurroundings()
{
    static const std::vector<BadData> all = [] {
        std::vector<BadData> list;
        const auto add = [&list](const char *name, const std::vector<Command> &commands) {
            list.push_back({name, commands, {}, false});
        };
        const QByteArray work = hero::keys::work({"python", {}, {}, 1, {}});
        add("D16 entries of every kind",
            {cmd("LPUSH", work, R"({"id":"x"})", QByteArray(megabyte, 'x'), QByteArray("\x00\xff", 2), "", "nobody")});
        add("D16 a thousand times the same",
            {cmd("LPUSH", "hero:q:work:type:twins").addAll(QList<QByteArray>(1'000, "t"))});
        add("D17 a long stop list", {pushMany("hero:q:ctl:type:python", 20'000)});
        add("D17 a long legacy stop list", {pushMany("hero:stop_queue:w1", 20'000)});
        add("D18 five replies", {cmd("LPUSH", "hero:q:reply:" + idOf(0), "1", "2", "3", "4", "5")});
        add("D18 a reply of another type", {cmd("SET", "hero:reply:" + idOf(1), "x")});
        add("D20 a presence that is no JSON",
            {cmd("SET", hero::keys::presence("python", "default", "1"), "}{", "EX", 600)});
        add("D20 a presence with odd members",
            {cmd(
                "SET", hero::keys::presence("python", "<b>", "%1"),
                R"({"pid":"-1","hostname":"<img src=x>","last_heartbeat":"2100-01-01T00:00:00Z","slots":-3,"busy":"all","capabilities":{"a":[[[]]]}})",
                "EX", 600)});
        add("D20 a presence that never expires",
            {cmd("SET", hero::keys::presence("v", "default", "2"), R"({"pid":1})")});
        add("D20 a presence of another type", {cmd("SADD", hero::keys::presence("v", "default", "3"), "x")});
        add("F27 other types under the names of queues",
            {cmd("SET", "hero:q:work:type:osis", "x"), cmd("SADD", "hero:q:work:type:sal:group:g", "x"),
             cmd("HSET", "hero:work_queue:w2", "a", "b"), cmd("SET", "hero:stop_queue:w2", "x"),
             cmd("ZADD", "hero:job:actor_queue:sal", 1, "x"), cmd("SET", "hero:q:dead:osis", "x"),
             cmd("SET", "hero:q:delayed", "x"), cmd("SET", "hero:q:lease:osis", "x"),
             cmd("SET", "hero:q:claims:osis", "x"), cmd("LPUSH", "hero:q:waiting", "x"),
             cmd("SET", "hero:q:types", "x")});
        add("D27 names that are no UTF-8",
            {cmd("LPUSH", QByteArray("hero:q:work:type:\xff\xfe"), "x"),
             cmd("LPUSH", QByteArray("hero:work_queue:\xff"), "x"),
             cmd("LPUSH", QByteArray("hero:job:actor_queue:<b>\n%1"), "x"), cmd("LPUSH", "hero:job:some-actor", "x")});
        return list;
    }();
    return all;
}

} // namespace ym::test
