// C compilers under test: the program as C, compiled by gcc or clang at some level, run natively.
//
// TargetSpec.options is a JSON object; every key may be left out:
//   {"compiler": "clang-22", "opt": "-O2", "flags": ["-ffp-contract=off"]}
// There are no passes: a sequence is ignored. What the printer refuses is a HARNESS failure, not
// the compiler's.
#pragma once

#include <memory>

#include "execution/api/target.h"

namespace irate {

std::unique_ptr<Target> MakeCTarget();

}  // namespace irate
