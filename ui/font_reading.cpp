#include "ui/font_reading.h"

#include <fontconfig/fontconfig.h>

#include <thread>

namespace ym {

namespace {

std::jthread reader;

} // namespace

void beginReadingFonts()
{
    reader = std::jthread([] { FcInit(); });
}

void finishReadingFonts()
{
    if (reader.joinable())
        reader.join();
}

} // namespace ym
