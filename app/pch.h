// Precompiled header of the application: what nearly every file of the command line includes.
#pragma once

#include "core/pch.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
