// TVM (the stock wheel) as a compiler under test.
#pragma once

#include <memory>

#include "execution/api/target.h"

namespace irate {

// Name "tvm"; TargetSpec.options is TVM's own target description, JSON or a kind's name.
//
//  * The module is lifted after every pass that changed it (targets/tvm/lift.h).
//  * In strict mode the first pass that throws ends the variant. In wild mode a pass that throws is
//    SKIPPED, the module stays what it was before, and the sequence goes on.
//  * A sequence that does not end where code generation begins is not built, nor is code for
//    another device than the processor; that is no failure.
std::unique_ptr<Target> MakeTvmTarget();

}  // namespace irate
