// The second opinion on what a program means: printed as C, compiled by clang at -O0 with UBSan,
// run in a child process. The interpreter is the reference; a wrong-result finding is recorded only
// after this agrees with it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/compare.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct SecondReferenceOptions {
  std::string compiler = "clang-22";
  // The module is a pass's result (ir/interpreter.h): overflow wraps, and what a source program
  // must not do is not looked for, as a pass may compute what it does not use.
  bool pass_result = false;
  std::chrono::milliseconds compile_deadline{60'000};
  std::chrono::milliseconds run_deadline{10'000};  // of each Case
};

// The buffer parameters of the Case's module after the run, in order. The module must be verified.
// Errors, each of a code of its own:
//   NotFound            there is no such compiler; says how to get it
//   Unimplemented       a construct has no C (c_target::TranslationUnit)
//   InvalidArgument     inputs and module do not fit together (MakeArguments)
//   FailedPrecondition  the program did something undefined: UBSan's or our own report, with the
//                       line of C
//   Aborted             it died; says of which signal
//   DeadlineExceeded    it did not end in time
//   OutOfRange          it wrote beside a buffer
//   Internal            the C was not accepted, or there was no process: a fault of ours
absl::StatusOr<std::vector<Tensor>> RunSecondReference(const Case& test_case,
                                                       const SecondReferenceOptions& options = {});

// Where it differs from the interpreter's account of the same module and inputs; nothing if they
// agree. Errors as above: there is no second opinion then.
absl::StatusOr<std::optional<Difference>> SecondReferenceDifference(
    const Case& test_case, const Interpretation& interpretation,
    const SecondReferenceOptions& options = {});

// The same as RunSecondReference for many Cases in one translation unit, about twenty times faster
// per Case. Results are in the order of the Cases and equal to those of separate runs.
std::vector<absl::StatusOr<std::vector<Tensor>>> RunSecondReferences(
    absl::Span<const Case* const> cases, const SecondReferenceOptions& options = {});

}  // namespace irate
