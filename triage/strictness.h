// Reduction must not turn a strict pass sequence into one that the pass map forbids: then the same
// failure may have another, innocent cause.
#pragma once

#include "ir/irate.pb.h"
#include "ir/pass_map.h"

namespace irate {

// Whether `candidate`, made from `original` by leaving out steps, options or the end, is as strict.
// True where there is nothing to keep: wild sequences, the default pipeline, an original that the
// map forbids. A candidate that ends before the last stage must be allowed as far as it goes.
bool StaysStrict(const PassMap& map, const PassSequence& original, const PassSequence& candidate);

}  // namespace irate
