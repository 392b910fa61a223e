// A module's meaning followed through its passes: every interpreted step against the interpreted
// step before it.
//
//  * The steps are those of the schedule, then the passes.
//  * The start is the interpretation of the module as lowered; where that is missing, the
//  reference.
//  * A step that changed the module but could not be lifted or interpreted is carried forward: the
//    next interpreted step is judged against the last one before it, and the culprit is the range.
//  * A step is judged only where its input is DEFINED. After a wrong or undefined step, later
//  passes
//    are judged against their own input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/compare.h"
#include "ir/observation.pb.h"

namespace irate {

// A pass whose result does not mean what its input means.
struct PassDeviation {
  enum class Kind { kValue, kOutputs, kUndefined, kDiverges };
  Kind kind = Kind::kValue;
  std::string culprit;                   // a pass or schedule step, or "first..last"
  int32_t step = -1;                     // the last pass of the culprit; -1 in the schedule
  std::optional<Difference> difference;  // of kValue and kOutputs
  const Interpretation* before = nullptr;
  const Interpretation* after = nullptr;
};

struct PassWalk {
  std::vector<PassDeviation> deviations;
  // The last interpreted step (or the reference), in the Observation.
  const Interpretation* last = nullptr;
  // The passes after it that changed the module: in order, names.
  std::vector<std::string> not_interpreted;
};

// Whom a wrong built function is blamed on: kCodegen, or "first..codegen" where passes before it
// could not be interpreted.
std::string CodegenCulprit(const PassWalk& walk);

// Pointers in the result point into `observation`.
PassWalk WalkPasses(const Observation& observation, uint32_t variant);

}  // namespace irate
