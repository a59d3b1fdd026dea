#include "ui/dialogs/compose/script_file.h"

#include "core/base/text.h"
#include "ui/editor/code_view.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::ScriptFile", text);
}

} // namespace

Result<QByteArray> readScriptFile(const QString &path)
{
    const QFileInfo info(path);
    const QString name = info.fileName();
    if (!info.exists())
        return failure(ErrorKind::NotFound, tr("There is no file %1.").arg(name));
    if (!info.isFile()) // a folder, a pipe, a device: reading might never end
        return failure(ErrorKind::Usage, tr("%1 is no file.").arg(name), tr("Choose a script file."));
    if (info.size() > CodeView::maxBytes)
        return failure(
            ErrorKind::TooLarge,
            tr("%1 has %2; a script has at most %3.")
                .arg(name, QLocale().formattedDataSize(info.size()), QLocale().formattedDataSize(CodeView::maxBytes)));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::Io, tr("%1 could not be read: %2.").arg(name, file.errorString()));
    QByteArray script = file.read(CodeView::maxBytes);
    if (script.startsWith("\xef\xbb\xbf"))
        script.remove(0, 3);
    if (!isUtf8(script) || script.contains('\0'))
        return failure(ErrorKind::Usage, tr("%1 is not text in UTF-8.").arg(name),
                       tr("Convert it, or choose another file."));
    return script;
}

Result<void> writeScriptFile(const QString &path, const QByteArray &script)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(script) == script.size() && file.commit())
        return {};
    return failure(ErrorKind::Io,
                   tr("%1 could not be written: %2.").arg(QFileInfo(path).fileName(), file.errorString()),
                   tr("Choose another place."));
}

} // namespace ym
