// The single changes that pass sequences are made with.
#pragma once

#include "generators/choice.h"
#include "ir/irate.pb.h"
#include "ir/pass_map.h"

namespace irate {

// Any pass of the map (without `wild`: of strict sequences) with one of its argument lists.
PassStep DrawStep(ChoiceSource& choices, const PassMap& map, bool wild);

}  // namespace irate
