#include "triage/strictness.h"

namespace irate {

bool StaysStrict(const PassMap& map, const PassSequence& original, const PassSequence& candidate) {
  if (original.mode() == WILD) return true;
  if (original.steps().empty() || candidate.steps().empty()) return true;
  if (!map.Check(original).ok()) return true;
  StageWalk walk(map);
  for (const PassStep& step : candidate.steps()) {
    if (!walk.Allows(step)) return false;
    walk.Take(step);
  }
  const bool is_whole = walk.stage() + 1 == static_cast<int>(map.stages().size());
  return !is_whole || walk.MayEnd().ok();
}

}  // namespace irate
