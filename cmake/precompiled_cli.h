// What nearly every command of tools/ includes; see irate_use_pch. Parsing and instantiating the
// command-line and JSON libraries anew takes most of a command's compile time.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cmake/precompiled.h"
