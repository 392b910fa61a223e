// A target that needs no compiler: the interpreter is its machine. With it the worker, the harness
// and the oracles are tested, and `irate doctor` shows that every kind of fault is noticed, because
// it commits faults when told to (faults.h).
#pragma once

#include <memory>

#include "execution/api/target.h"

namespace irate {

std::unique_ptr<Target> MakeSelftestTarget();

}  // namespace irate
