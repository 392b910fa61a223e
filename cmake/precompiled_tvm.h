// What nearly every source of targets/tvm includes; see irate_use_pch.
#pragma once

#include <fmt/format.h>

#include "cmake/precompiled.h"
#include "targets/tvm/native.h"
