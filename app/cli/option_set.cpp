#include "app/cli/option_set.h"

#include <CLI/CLI.hpp>

namespace ym::cli {

namespace {

using Texts = std::vector<std::string>;

auto into(QByteArray *value)
{
    return [value](const std::string &text) { *value = QByteArray::fromStdString(text); };
}

auto into(QList<QByteArray> *values)
{
    return [values](const Texts &texts) {
        values->clear();
        for (const std::string &text : texts)
            values->append(QByteArray::fromStdString(text));
    };
}

} // namespace

void OptionSet::text(const char *names, QByteArray *value, const char *help)
{
    CLI::Option *const option = m_app->add_option_function<std::string>(names, into(value), help);
    if (!value->isEmpty())
        option->default_str(value->toStdString());
}

void OptionSet::texts(const char *names, QList<QByteArray> *values, const char *help)
{
    m_app->add_option_function<Texts>(names, into(values), help)->allow_extra_args(false);
}

void OptionSet::commaSeparated(const char *names, QList<QByteArray> *values, const char *help)
{
    m_app->add_option_function<Texts>(names, into(values), help)->delimiter(',')->allow_extra_args(false)->required();
}

void OptionSet::number(const char *names, int *value, int least, int most, const char *help)
{
    m_app->add_option(names, *value, help)->check(CLI::Range(least, most))->capture_default_str();
}

void OptionSet::flag(const char *names, bool *value, const char *help)
{
    m_app->add_flag(names, *value, help);
}

void OptionSet::argument(const char *name, QByteArray *value, const char *help)
{
    m_app->add_option_function<std::string>(name, into(value), help)->required();
}

void OptionSet::arguments(const char *name, QList<QByteArray> *values, const char *help)
{
    m_app->add_option_function<Texts>(name, into(values), help)->required();
}

void OptionSet::optionalArguments(const char *name, QList<QByteArray> *values, const char *help)
{
    m_app->add_option_function<Texts>(name, into(values), help);
}

void OptionSet::notes(const char *text)
{
    m_app->footer(text);
}

} // namespace ym::cli
