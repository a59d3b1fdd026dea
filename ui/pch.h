// Precompiled header of the window.
#pragma once

#include "core/pch.h"

#include <QtWidgets>
