#include "ui/dialogs/settings/interpreter_form.h"

#include "ui/dialogs/parts/access_fields.h"
#include "ui/dialogs/parts/form_field.h"
#include "ui/dialogs/settings/limits_form.h"

#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace ym {

QString joinedCommand(const QStringList &words)
{
    QStringList quoted;
    for (QString word : words) {
        if (word.isEmpty())
            continue;
        word.replace(u'"', QStringLiteral("\"\"\"")); // as QProcess::splitCommand reads it
        const bool plain = !word.contains(u' ') && !word.contains(u'\t');
        quoted.append(plain ? word : u'"' + word + u'"');
    }
    return quoted.join(u' ');
}

InterpreterForm::InterpreterForm(QWidget *parent)
    : QWidget(parent)
    , m_type(makeLine("interpreterType", tr("ruby")))
    , m_command(makeLine("command", tr("ruby {file}")))
    , m_feed(new QComboBox(this))
    , m_failure(new QComboBox(this))
    , m_suffix(makeLine("suffix", QStringLiteral(".rb")))
    , m_prelude(makeLine("prelude", tr("none")))
{
    m_feed->setObjectName(QStringLiteral("feed"));
    m_feed->addItems({tr("As a file, named {file}"), tr("On standard input")});
    m_failure->setObjectName(QStringLiteral("failure"));
    m_failure->addItems({tr("Exit code is not 0"), tr("Exit code, or any error output")});
    auto *const pages = new QTabWidget(this);
    pages->setObjectName(QStringLiteral("interpreterParts"));
    pages->setDocumentMode(true);
    pages->tabBar()->setAccessibleName(tr("Parts of the row"));
    pages->addTab(makeProgramPage(), tr("Program"));
    pages->addTab(makeLimitsPage(), tr("Limits"));
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pages);
    connect(m_limits, &LimitsForm::edited, this, &InterpreterForm::edited);
    connect(m_access, &AccessFields::edited, this, &InterpreterForm::edited);
    for (QLineEdit *line : {m_type, m_command, m_suffix, m_prelude})
        connect(line, &QLineEdit::textChanged, this, &InterpreterForm::edited);
    for (QComboBox *box : {m_feed, m_failure})
        connect(box, &QComboBox::currentIndexChanged, this, &InterpreterForm::edited);
}

QWidget *InterpreterForm::makeProgramPage()
{
    auto *const page = new QWidget(this);
    m_typeField = new FormField(tr("Script &type"), m_type, this);
    m_commandField = new FormField(tr("Co&mmand"), m_command, this);
    m_suffixField = new FormField(tr("File &ending"), m_suffix, this);
    auto *const prelude = new FormField(tr("&Before the first line"), m_prelude, this);
    prelude->setHint(tr("{caller} and {context} become quoted texts."));
    auto *const grid = new QGridLayout(page);
    grid->setContentsMargins(0, 10, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->addWidget(m_typeField, 0, 0, Qt::AlignTop);
    grid->addWidget(m_commandField, 0, 1, 1, 2, Qt::AlignTop);
    grid->addWidget(m_suffixField, 1, 0, Qt::AlignTop);
    grid->addWidget(new FormField(tr("Gets the &script"), m_feed, this), 1, 1, Qt::AlignTop);
    grid->addWidget(new FormField(tr("&Fails when"), m_failure, this), 1, 2, Qt::AlignTop);
    grid->addWidget(prelude, 2, 0, 1, 3, Qt::AlignTop);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 2);
    return page;
}

QWidget *InterpreterForm::makeLimitsPage()
{
    auto *const page = new QWidget(this);
    m_limits = new LimitsForm(page);
    m_access = new AccessFields(page);
    m_accessField = new FormField(tr("Every script of this type may reach"), m_access, page);
    auto *const column = new QVBoxLayout(page);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(10);
    column->addWidget(m_limits);
    column->addWidget(m_accessField);
    column->addStretch();
    return page;
}

QLineEdit *InterpreterForm::makeLine(const char *name, const QString &placeholder)
{
    auto *const line = new QLineEdit(this);
    line->setObjectName(QLatin1String(name));
    line->setPlaceholderText(placeholder);
    line->setMaxLength(4000);
    return line;
}

void InterpreterForm::setInterpreter(const Interpreter &interpreter)
{
    m_new = false;
    show(interpreter);
}

void InterpreterForm::startNew(const QList<QByteArray> &taken)
{
    m_new = true;
    m_taken = taken;
    show({});
    m_type->setFocus();
}

void InterpreterForm::show(const Interpreter &interpreter)
{
    m_type->setText(QString::fromUtf8(interpreter.type));
    m_type->setReadOnly(!m_new);
    m_command->setText(joinedCommand(interpreter.command));
    m_feed->setCurrentIndex(int(interpreter.feed));
    m_failure->setCurrentIndex(int(interpreter.failure));
    m_suffix->setText(interpreter.fileSuffix);
    m_prelude->setText(interpreter.prelude);
    m_limits->setLimits(interpreter.limits);
    m_access->setAccess(interpreter.access);
    m_shown = interpreter;
    Q_EMIT edited();
}

Interpreter InterpreterForm::interpreter() const
{
    Interpreter interpreter = m_shown; // what has no field here stays
    interpreter.type = m_type->text().trimmed().toUtf8();
    interpreter.command = QProcess::splitCommand(m_command->text());
    interpreter.feed = m_feed->currentIndex() == 0 ? Interpreter::Feed::File : Interpreter::Feed::StandardInput;
    interpreter.failure =
        m_failure->currentIndex() == 0 ? Interpreter::Failure::ExitCode : Interpreter::Failure::ExitCodeOrStderr;
    interpreter.fileSuffix = m_suffix->text().trimmed();
    interpreter.prelude = m_prelude->text();
    interpreter.limits = m_limits->limits();
    interpreter.access = m_access->access();
    return interpreter;
}

QString InterpreterForm::check()
{
    static const QRegularExpression typePattern(QStringLiteral("^[a-z0-9_-]{1,64}$"));
    const Interpreter row = interpreter();
    const QString program = row.command.value(0);
    const bool namesFile = row.command.join(u' ').contains(QStringLiteral("{file}"));
    QString type, command, suffix;
    if (!typePattern.match(QString::fromUtf8(row.type)).hasMatch())
        type = tr("1 to 64 of a–z, 0–9, _ and -.");
    else if (m_new && m_taken.contains(row.type))
        type = tr("This type is in the table.");
    if (program.isEmpty())
        command = tr("Write the program and its arguments.");
    else if (program.contains(u'/') && !QDir::isAbsolutePath(program))
        command = tr("Write the whole path, or a name that is on PATH.");
    else if (row.feed == Interpreter::Feed::File && !namesFile)
        command = tr("Write {file} where the script's path belongs.");
    if (!row.fileSuffix.isEmpty() && (!row.fileSuffix.startsWith(u'.') || row.fileSuffix.contains(u'/')))
        suffix = tr("Begins with a dot.");
    const bool untouched = m_new && !isChanged(); // an empty form is not scolded yet
    m_typeField->setProblem(untouched ? QString() : type);
    m_commandField->setProblem(untouched ? QString() : command);
    m_suffixField->setProblem(suffix);
    m_accessField->setProblem(m_access->problem());
    for (const QString &problem : {type, command, suffix, m_access->problem()}) {
        if (!problem.isEmpty())
            return problem;
    }
    return {};
}

} // namespace ym
