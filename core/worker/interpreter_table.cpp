#include "core/worker/interpreter_table.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::InterpreterTable", text);
}

const auto sameType = [](const QByteArray &type) {
    return [type](const Interpreter &row) { return row.type == type; };
};

/// A literal that Rhai, Python and most others read alike; always one line.
QString quoted(const QByteArray &bytes)
{
    QString literal(u'"');
    for (const QChar c : QString::fromUtf8(bytes)) {
        if (c == u'"' || c == u'\\')
            literal += u'\\';
        if (c.unicode() >= 0x20 && c.unicode() != 0x7f && c != QChar::LineSeparator && c != QChar::ParagraphSeparator)
            literal += c;
        else
            literal += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
    }
    return literal + u'"';
}

bool isHeroScript(const QByteArray &script)
{
    return script.trimmed().startsWith("!!");
}

} // namespace

InterpreterTable::InterpreterTable() = default;

QList<Interpreter> InterpreterTable::rows() const
{
    QList<Interpreter> all = builtinInterpreters();
    for (const Interpreter &row : userRows()) {
        const auto same = std::find_if(all.begin(), all.end(), sameType(row.type));
        if (same != all.end())
            *same = row;
        else
            all.append(row);
    }
    return all;
}

QList<Interpreter> InterpreterTable::userRows() const
{
    const QMutexLocker lock(&m_mutex);
    return m_userRows;
}

std::optional<Interpreter> InterpreterTable::find(const QByteArray &type) const
{
    const QList<Interpreter> all = rows();
    const auto found = std::find_if(all.begin(), all.end(), sameType(type));
    return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<Interpreter> InterpreterTable::findForScript(const QByteArray &type, const QByteArray &script) const
{
    const bool redirected = (type == "python" || type == "v") && isHeroScript(script);
    return find(redirected ? QByteArrayLiteral("heroscript") : type);
}

QByteArray InterpreterTable::typeForFileName(const QString &name) const
{
    for (const Interpreter &row : rows()) {
        if (!row.fileSuffix.isEmpty() && name.endsWith(row.fileSuffix, Qt::CaseInsensitive))
            return row.type;
    }
    return {};
}

InterpreterStatus InterpreterTable::probe(const QByteArray &type) const
{
    if (const auto row = find(type))
        return probe(*row);
    InterpreterStatus status;
    status.interpreter.type = type;
    status.detail =
        tr("No interpreter is set for the type “%1”; add one in Settings › Interpreters").arg(QString::fromUtf8(type));
    return status;
}

InterpreterStatus InterpreterTable::probe(const Interpreter &row)
{
    InterpreterStatus status;
    status.interpreter = row;
    status.detail = rowProblem(row);
    if (!status.detail.isEmpty())
        return status;
    const QString program = row.command.constFirst();
    // Never the working directory: only what stands on PATH, or an absolute path (RELIABILITY 8, Plugins/paths).
    if (QDir::isAbsolutePath(program)) {
        const QFileInfo file(program);
        status.path = file.isFile() && file.isExecutable() ? program : QString();
    } else {
        status.path = QStandardPaths::findExecutable(program);
    }
    status.found = !status.path.isEmpty();
    const QString otherwise = QFileInfo::exists(program) && QDir::isAbsolutePath(program)
        ? tr("%1 cannot be executed; make it executable, or set another program in Settings › Interpreters")
        : tr("%1 was not found; set it in Settings › Interpreters");
    status.detail = (status.found ? tr("found at %1") : otherwise).arg(status.found ? status.path : program);
    return status;
}

Result<void> InterpreterTable::setRow(const Interpreter &row)
{
    if (const QString problem = rowProblem(row); !problem.isEmpty())
        return failure(ErrorKind::Usage, problem);
    const QMutexLocker lock(&m_mutex);
    m_userRows.removeIf(sameType(row.type));
    m_userRows.append(row);
    std::sort(m_userRows.begin(), m_userRows.end(), [](const auto &a, const auto &b) { return a.type < b.type; });
    return {};
}

bool InterpreterTable::resetRow(const QByteArray &type)
{
    const QMutexLocker lock(&m_mutex);
    return m_userRows.removeIf(sameType(type)) > 0;
}

QByteArray preparedScript(const Interpreter &row, const Job &job)
{
    if (row.prelude.isEmpty())
        return job.script;
    QString prelude;
    // Word by word, so that an id that looks like a placeholder stays what it is.
    for (qsizetype at = 0; at < row.prelude.size();) {
        const QStringView rest = QStringView(row.prelude).mid(at);
        if (rest.startsWith(u"{caller}")) {
            prelude += quoted(job.callerId);
            at += 8;
        } else if (rest.startsWith(u"{context}")) {
            prelude += quoted(job.contextId);
            at += 9;
        } else {
            prelude += row.prelude.at(at++);
        }
    }
    const qsizetype bom = job.script.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    return prelude.toUtf8() + job.script.mid(bom);
}

QString rowProblem(const Interpreter &row)
{
    static const QRegularExpression typePattern(QStringLiteral("\\A[a-z0-9_-]{1,64}\\z"));
    const QString type = QString::fromUtf8(row.type);
    if (!typePattern.match(type).hasMatch())
        return tr("A type is 1 to 64 of a–z, 0–9, _ and -.");
    if (row.command.isEmpty() || row.command.constFirst().isEmpty())
        return tr("The type “%1” has no program; write the command that runs it.").arg(type);
    const QString program = row.command.constFirst();
    if (program.contains(u'/') && !QDir::isAbsolutePath(program))
        return tr("The program of “%1” is a relative path; write an absolute one or a name on PATH.").arg(type);
    const bool namesFile = std::any_of(row.command.begin(), row.command.end(),
                                       [](const QString &word) { return word.contains(QLatin1String("{file}")); });
    if (row.feed == Interpreter::Feed::File && !namesFile)
        return tr("The command of “%1” does not say where the script goes; write {file} in it.").arg(type);
    if (row.prelude.contains(u'\n'))
        return tr("The prelude of “%1” has several lines; it must fit on the script's first one.").arg(type);
    for (const QString &path : row.access.readable + row.access.writable) {
        if (!QDir::isAbsolutePath(path))
            return tr("The type “%1” opens %2; write an absolute path.").arg(type, path);
    }
    if (row.fileSuffix.contains(u'/') || (!row.fileSuffix.isEmpty() && !row.fileSuffix.startsWith(u'.')))
        return tr("The file ending of “%1” must begin with a dot and hold no slash.").arg(type);
    return {};
}

} // namespace ym
