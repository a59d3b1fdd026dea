// The options of one subcommand, declared without the library that reads them: that one is slow to compile.
#pragma once

#include <QByteArray>
#include <QList>

namespace CLI {
class App;
}

namespace ym::cli {

/// What Command::define() fills. Values go to the given places when the arguments are read; they need not be text.
/// `names` is as in "-t,--type".
class OptionSet {
public:
    explicit OptionSet(CLI::App *app)
        : m_app(app)
    {
    }

    /// A value that is there already is the default and shown as such.
    void text(const char *names, QByteArray *value, const char *help);
    /// One value each time; may be repeated.
    void texts(const char *names, QList<QByteArray> *values, const char *help);
    /// Several values in one, separated by commas; must be given.
    void commaSeparated(const char *names, QList<QByteArray> *values, const char *help);
    void number(const char *names, int *value, int least, int most, const char *help);
    void flag(const char *names, bool *value, const char *help);

    /// What stands without a name; must be given.
    void argument(const char *name, QByteArray *value, const char *help);
    void arguments(const char *name, QList<QByteArray> *values, const char *help);
    /// The same, or nothing.
    void optionalArguments(const char *name, QList<QByteArray> *values, const char *help);

    /// What follows the options in the help: what a person must know, and examples.
    void notes(const char *text);

private:
    CLI::App *m_app;
};

} // namespace ym::cli
