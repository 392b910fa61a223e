// Cases that mean the same as a given one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

// One application of a rule: enough to do it again.
struct RewriteStep {
  std::string rewrite;
  int site = 0;
  uint64_t seed = 0;
};

// "split-loop@3#17", and back; for reports and replay.
std::string FormatStep(const RewriteStep& step);
absl::StatusOr<RewriteStep> ParseStep(std::string_view text);

// NotFound: no such rule. OutOfRange: it has no such place here.
absl::Status ApplyStep(const RewriteStep& step, Module* module);

// Up to `count` rules at random places, drawn from `seed`: rules that apply are equally likely, and
// so are their places. Stops early where the program would grow beyond what Verify accepts or
// beyond 4,000 nodes. The schedule is dropped, as its steps name loops that may be gone. `steps`
// (may be null) receives what was done.
Case RewriteCase(const Case& original, uint64_t seed, int count, std::vector<RewriteStep>* steps);

}  // namespace irate
