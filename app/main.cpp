// Entry: without a subcommand the window, with one the command-line tool on the same core.
#include <QCoreApplication>

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    return 0;
}
