#include "app/cli/whole_field.h"

#include "app/cli/words.h"

#include "core/base/text.h"

namespace ym::cli {

namespace {

constexpr qint64 pieceBytes = 32 * 1024 * 1024; ///< the server copies the whole field for each

} // namespace

QCoro::Task<void> writeField(Inspector *inspector, QByteArray id, QByteArray field, Console *console, Console::Stream stream)
{
    qint64 written = 0;
    qint64 size = -1;
    do {
        const Inspector::FieldPart part = co_await inspector->fieldPart(id, field, written, pieceBytes);
        if (size >= 0 && part.fullSize != size)
            throw StoreError(ErrorKind::Conflict,
                             tr("The field “%1” has changed while it was read.").arg(shownText(field, Lines::Flatten, 80)),
                             tr("Try again when the job is over."));
        size = part.fullSize;
        written += part.bytes.size();
        console->output(stream, part.bytes);
    } while (written < size && !console->isClosed());
}

} // namespace ym::cli
