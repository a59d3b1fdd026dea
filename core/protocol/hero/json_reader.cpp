#include "core/protocol/hero/json_reader.h"

#include <QHash>

namespace ym::hero {

namespace {

using Json = nlohmann::json;

/// Depth of brackets outside strings: looked at before the parser is, because copying a deep value ends in a crash.
bool isTooDeep(const QByteArray &text)
{
    int depth = 0;
    bool inString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
            continue;
        }
        if (c == '"')
            inString = true;
        else if ((c == '[' || c == '{') && ++depth > jsonDepthLimit)
            return true;
        else if (c == ']' || c == '}')
            --depth;
    }
    return false;
}

QByteArray bytes(const std::string &text)
{
    return QByteArray(text.data(), qsizetype(text.size()));
}

/// Collects the members of the outermost object without building a tree.
class FlatReader : public nlohmann::json_sax<Json> {
public:
    FlatObject result;
    bool isObject = false;

    bool null() override { return skip(); }
    bool boolean(bool value) override { return take(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return take(QByteArray::number(qint64(value))); }
    bool number_unsigned(number_unsigned_t value) override { return take(QByteArray::number(quint64(value))); }
    bool number_float(number_float_t, const string_t &source) override { return take(bytes(source)); }
    bool string(string_t &value) override { return take(bytes(value)); }
    bool binary(binary_t &) override { return skip(); }

    bool start_object(std::size_t) override
    {
        if (++m_depth == 1)
            isObject = true;
        else if (m_depth == 2)
            ++result.skipped;
        return true;
    }
    bool start_array(std::size_t) override
    {
        if (++m_depth == 2)
            ++result.skipped;
        return m_depth > 1;
    }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool key(string_t &name) override
    {
        if (m_depth == 1)
            m_name = bytes(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    bool leave()
    {
        --m_depth;
        return true;
    }
    bool skip()
    {
        if (m_depth == 1)
            ++result.skipped;
        return m_depth > 0;
    }
    bool take(const QByteArray &value)
    {
        if (m_depth != 1)
            return m_depth > 0;
        const auto known = m_index.constFind(m_name);
        if (known != m_index.cend()) {
            result.members[*known].second = value;
            return true;
        }
        m_index.insert(m_name, result.members.size());
        result.members.append({m_name, value});
        return true;
    }

    int m_depth = 0;
    QByteArray m_name;
    QHash<QByteArray, qsizetype> m_index;
};

} // namespace

std::optional<Json> parseJson(const QByteArray &text, qsizetype sizeLimit)
{
    if (text.size() > sizeLimit || isTooDeep(text))
        return std::nullopt;
    try {
        Json value = Json::parse(text.begin(), text.end(), nullptr, false);
        return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
    } catch (const std::exception &) { // 1e999 throws although it was asked not to
        return std::nullopt;
    }
}

std::optional<FlatObject> parseFlatObject(const QByteArray &text)
{
    if (text.size() > jsonSizeLimit || isTooDeep(text))
        return std::nullopt;
    FlatReader reader;
    try {
        if (!Json::sax_parse(text.begin(), text.end(), &reader) || !reader.isObject)
            return std::nullopt;
    } catch (const std::exception &) {
        return std::nullopt;
    }
    return std::move(reader.result);
}

QByteArray textMember(const Json &object, const char *name)
{
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? bytes(member->get_ref<const std::string &>()) : QByteArray();
}

qint64 integerMember(const Json &object, const char *name, qint64 least, qint64 most, qint64 otherwise)
{
    const auto member = object.find(name);
    if (member == object.end())
        return otherwise;
    bool isNumber = false;
    qint64 value = 0;
    if (member->is_number_unsigned()) {
        const auto wide = member->get<quint64>();
        isNumber = wide <= quint64(std::numeric_limits<qint64>::max());
        value = qint64(wide);
    } else if (member->is_number_integer()) {
        isNumber = true;
        value = member->get<qint64>();
    } else if (member->is_string()) {
        value = textMember(object, name).toLongLong(&isNumber);
    }
    return isNumber && value >= least && value <= most ? value : otherwise;
}

QList<QByteArray> textsMember(const Json &object, const char *name, qsizetype limit)
{
    QList<QByteArray> list;
    const auto member = object.find(name);
    if (member == object.end() || !member->is_array())
        return list;
    for (const Json &element : *member) {
        if (element.is_string() && list.size() < limit)
            list.append(bytes(element.get_ref<const std::string &>()));
    }
    return list;
}

} // namespace ym::hero
