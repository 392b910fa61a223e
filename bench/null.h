// The false-alarm test: Cases through changes that change nothing. Every finding is a fault of
// ours.
//
// Each generated Case that is defined goes
//   1. through equivalent rewrites (generators/equivalent): the interpreter must find the same;
//   2. through the second reference (targets/c), rewritten ones too: it must agree with the
//      interpreter;
//   3. through a compiler that does nothing to it (identity), where one is given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generators/generator.h"
#include "ir/irate.pb.h"

namespace irate {

// What a compiler makes of the module by lowering and lifting it, with passes that promise to
// change nothing. Unimplemented: it cannot take or give back this module, which is no finding.
using Identity = std::function<absl::StatusOr<std::vector<Module>>(const Case&)>;

struct NullProgress {
  uint64_t cases = 0;
  uint64_t count = 0;  // to do in all
  uint64_t findings = 0;
  double seconds = 0;
};

struct NullOptions {
  uint64_t count = 1000;
  uint64_t first = 0;  // number of the first Case: a long run can be a sum of short ones
  uint64_t seed = 1;
  int jobs = 0;      // processes; 0: one for each processor
  int rewrites = 6;  // at most, on each Case; 0: none
  bool second_reference = true;
  GenerateOptions generate;
  // Called once in each process.
  std::function<absl::StatusOr<Identity>()> make_identity;
  // Called here, after every chunk of Cases.
  std::function<void(const NullProgress&)> progress;
};

struct NullFinding {
  uint64_t index = 0;  // of the Case: GenerateCase(CaseSeed(seed, index)) makes it again
  // "generated", "rewrite", "second-reference", "second-reference-rewritten", "identity",
  // "process".
  std::string check;
  std::string detail;
  std::vector<std::string> steps;  // of a rewrite, in the form of FormatStep
};

struct NullReport {
  uint64_t cases = 0;    // generated
  uint64_t dropped = 0;  // not defined: no test
  uint64_t rewritten = 0;
  uint64_t compared = 0;  // with the second reference
  uint64_t compared_rewritten = 0;
  uint64_t identities = 0;   // modules that came back from a compiler
  uint64_t out_of_fuel = 0;  // rewritten programs that the interpreter did not finish
  double seconds = 0;
  std::map<std::string, uint64_t> rules;     // applications of each rewrite
  std::map<std::string, uint64_t> refusals;  // of the C printer and the compilers
  std::vector<NullFinding> findings;         // by index
};

// Internal: there were no processes to be had. NotFound: no compiler for the second reference.
absl::StatusOr<NullReport> RunNullBench(const NullOptions& options);

// {"cases": N, "findings": N, "details": [{"index", "check", "detail", "steps"}], ...}
std::string ToJson(const NullReport& report);

}  // namespace irate
