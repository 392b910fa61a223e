// An oracle reads what happened and says what is wrong with it. It runs nothing.
//
// Oracles stand in the order of trust in `Oracles()` (oracles/registry.cc, the one list). Each has
// a seeded fault that it catches and a null case that it ignores.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual std::string_view Name() const = 0;  // "pass-mismatch"
  // What it takes for a fault, in one line, for `irate doctor` and the docs.
  virtual std::string_view Description() const = 0;
  // Findings about one variant; `signature` is filled in by MakeSignature.
  virtual std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                                     uint32_t variant) const = 0;
  // True where a conclusion alone is too weak to call it the compiler's fault: it is counted in the
  // statistics and never recorded.
  virtual bool Advisory() const { return false; }
};

std::span<const std::unique_ptr<Oracle>> Oracles();

// Every oracle that is not advisory over every variant. One cause should give one finding: a built
// function that is wrong because a pass was wrong is reported by the pass oracle only.
std::vector<Finding> JudgeAll(const Case& test_case, const Observation& observation);

// The conclusions of the advisory oracles.
std::vector<Finding> JudgeAdvisory(const Case& test_case, const Observation& observation);

// What went wrong on our own side: failures of the harness or of lifting, and a lowered module that
// does not mean what the Case means. One line each; never findings, and never to be ignored.
std::vector<std::string> HarnessFaults(const Observation& observation);

// oracle, target, culprit and shape as one file name.
std::string MakeSignature(const Finding& finding);

}  // namespace irate
