// How much of what a compiler makes of Cases can be read back: `irate doctor --lift`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "execution/harness.h"
#include "generators/generator.h"

namespace irate {

// Pass results that differ from their input, and how many of them were lifted and interpreted.
struct LiftCount {
  uint64_t changed = 0;
  uint64_t lifted = 0;
  uint64_t interpreted = 0;  // a status other than UNSUPPORTED

  double Share() const {
    return changed == 0 ? 1 : static_cast<double>(interpreted) / static_cast<double>(changed);
  }
};

struct LiftCoverage {
  uint64_t cases = 0;
  // The first pass that splits host and device is counted in `after_split`.
  LiftCount before_split;
  LiftCount after_split;
  std::map<std::string, LiftCount> passes;
  // What could not be lifted or interpreted: "PASS: CONSTRUCT", with numbers taken out.
  std::map<std::string, uint64_t> constructs;

  // At least 95 % before the split and 80 % from there on.
  bool Sufficient() const { return before_split.Share() >= 0.95 && after_split.Share() >= 0.80; }
  std::string ToText() const;
  std::string ToJson() const;
};

// The Cases `seed`, 0 ... count - 1. Errors: those of Harness::Execute.
absl::StatusOr<LiftCoverage> MeasureLifting(Harness& harness, uint64_t seed, uint64_t count,
                                            const std::function<void(uint64_t)>& progress);

}  // namespace irate
