// From a finding on some Case to a folder that a person opens.
//
//  1. Reduces the Case while the same oracle blames the same culprit for the same kind of
//     difference (triage/thin_reducer.h).
//  2. Names it: the oracle's signature, and for wrong results what is left of the program
//     (triage/feature_shape.h).
//  3. A signature that is known (corpus/known) is reported as such and goes no further; one that is
//     stored is counted unless this Case is smaller.
//  4. Confirms it in a fresh worker: first the reduced Case, else the original one. What does not
//     show there is tried again after what its worker had served before (triage/earlier_cases.h);
//     what does not show then either is not recorded.
//  5. A wrong result is recorded only if the referee, a plain compiler, agrees with the
//  interpreter.
//  6. Writes and runs the reproducer, and records.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/pass_map.h"
#include "triage/finding_store.h"
#include "triage/reproducer.h"
#include "triage/thin_reducer.h"

namespace irate {

// What a Case computes by a second opinion, or why there is none (Unimplemented).
using Referee = std::function<absl::StatusOr<std::vector<Tensor>>(const Case&)>;

// Called with a write to the findings that failed, and why. OK: it will be done again later, and
// the finding goes on as one that is recorded; otherwise the error of Triage.
using DeferWrite =
    std::function<absl::Status(std::function<absl::Status()> write, const absl::Status& problem)>;

struct TriageOptions {
  ReduceOptions reduce;
  ReproducerOptions reproducer;
  std::set<std::string> known;        // signatures
  Referee referee;                    // empty: none is asked
  DeferWrite defer;                   // empty: a failed write is an error
  const PassMap* pass_map = nullptr;  // of the target: strict sequences are reduced to strict ones
};

struct TriageResult {
  enum class Outcome {
    kNew,            // recorded, first of its signature in the store
    kSeen,           // in the store already; counted, and its Case replaced if this one is smaller
    kKnown,          // one of TriageOptions::known; not recorded
    kStopped,        // ReduceOptions::stop ended the reduction; nothing was recorded
    kNotReproduced,  // did not show in a fresh worker
    kRefereeDisagrees,  // the interpreter's result is in doubt: a fault of ours until shown
                        // otherwise
  };
  Outcome outcome = Outcome::kNew;
  Finding finding;  // with its final signature
  Case reduced;
  std::string path;  // of the folder, if recorded
  bool reproducer_verified = false;
  int tests = 0;  // of the reduction
};

class Triager {
 public:
  // `harness` runs whole Cases, `passes_only` stops before code generation. Both and the store
  // outlive the Triager.
  Triager(Harness* harness, Harness* passes_only, const FindingStore* store, TriageOptions options);

  // `finding` is what JudgeAll said of `test_case`; `history`, of the worker that showed it. An
  // error is one of the harness or of the store.
  absl::StatusOr<TriageResult> Triage(const Case& test_case, const Finding& finding,
                                      const WorkerHistory& history = {});

 private:
  struct Confirmed;
  absl::StatusOr<Case> Reduce(const Case& test_case, const Finding& finding, int* tests);
  absl::StatusOr<Confirmed> Confirm(const Case& test_case, const Finding& finding);
  absl::StatusOr<Confirmed> ConfirmAfter(std::span<const Case> earlier, const Case& test_case,
                                         const Finding& finding);
  bool RefereeAgrees(const Case& test_case, const Interpretation& reference);
  absl::Status Write(const std::function<absl::Status()>& write);
  absl::StatusOr<bool> Store(const Confirmed& confirmed, TriageResult* result);

  Harness& harness_;
  Harness& passes_only_;
  const FindingStore& store_;
  TriageOptions options_;
};

// The finding among `findings` that has the raw signature of `finding`, or null.
const Finding* FindSame(const std::vector<Finding>& findings, const Finding& finding);

// The shape with what is left of the reduced program, for wrong results and for crashes whose stack
// names no function of the compiler.
std::string FinalShape(const Finding& finding, const Case& reduced);

}  // namespace irate
