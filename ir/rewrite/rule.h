// A seeded fault: a named rewrite of a pass's result, or something worse that the pass does.
// docs/faults.md has the language with examples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/rewrite/condition.h"
#include "ir/rewrite/pattern.h"

namespace irate::rewrite {

// Names that stand beside those of passes.
inline constexpr char kAtLowering[] = "lower";   // before the first pass
inline constexpr char kAtRuntime[] = "runtime";  // while the built code runs instrumented
inline constexpr char kAtCodegen[] = "codegen";  // after the last one; only the built code sees it

struct Alternative {
  Pattern pattern;
  Pattern replacement;
  bool replaces = false;  // "match" only looks
};

struct NewBuffer {
  std::string name;
  std::string model;
};

struct Rule {
  // What the fault does where it triggers.
  enum class Action {
    kRewrite,      // its result is the rewritten module
    kAlternate,    // the same, every second time
    kMutateInput,  // its result is right; the module it was given is rewritten
    kSkip,         // its result is its input
    kThrow,        // an internal error
    kDiagnose,     // an error that blames the user
    kCrash,
    kAbort,
    kHang,
    kLeak,     // `amount` bytes, kept
    kExhaust,  // memory without an end
    kRuntime,  // the runtime below generated code breaks its contract: `message` says how
  };

  std::string name;
  std::string description;
  bool is_null = false;  // does no harm: must raise nothing
  std::vector<std::string> passes;
  std::vector<Alternative> alternatives;
  std::vector<Condition> conditions;
  std::vector<NewBuffer> new_buffers;
  Function names;  // of all patterns of the rule

  enum class Site { kFirst, kLast, kEvery, kNumber };
  Site site = Site::kFirst;
  int number = 1;

  Action action = Action::kRewrite;
  std::string message;
  int64_t amount = 0;
  bool may_be_invalid = false;  // the result need not pass the verifier

  std::vector<std::string> expected_oracles;   // any of them; for a null fault none
  std::vector<std::string> expected_culprits;  // any of them; empty: the pass where it triggered

  int line = 0;  // in its file
};

// Whether the rule is about the pass (or kAtLowering, ...): its full name, its last part, or a
// pattern with "*".
bool Concerns(const Rule& rule, std::string_view pass);
// What the oracles should say: stated, or what the action implies.
std::vector<std::string> ExpectedOracles(const Rule& rule);

// Errors are InvalidArgument and start with "line L, column C: ".
absl::StatusOr<std::vector<Rule>> ParseRules(std::string_view text);

}  // namespace irate::rewrite
