#include "targets/c/second_reference.h"

#include <csignal>
#include <cstring>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "targets/c/compiler.h"
#include "targets/c/isolated_run.h"
#include "targets/c/printer.h"

namespace irate {
namespace {

using c_target::ArgumentMemory;
using c_target::CompileResult;
using c_target::IsolatedCall;
using c_target::IsolatedOutcome;

using Result = absl::StatusOr<std::vector<Tensor>>;

// A report that starts with "line 12, " gets that line's text.
std::string WithSourceLine(const std::string& report, const std::string& source) {
  const std::vector<std::string> parts = absl::StrSplit(report, absl::MaxSplits(',', 1));
  int line = 0;
  if (report.rfind("line ", 0) != 0 || !absl::SimpleAtoi(parts[0].substr(5), &line)) return report;
  const std::vector<std::string> lines = absl::StrSplit(source, '\n');
  if (line < 1 || line > static_cast<int>(lines.size())) return report;
  return fmt::format("{}: {}", report,
                     std::string(absl::StripAsciiWhitespace(lines[static_cast<size_t>(line) - 1])));
}

absl::Status CompileError(const CompileResult& compiled, const SecondReferenceOptions& options) {
  switch (compiled.outcome) {
    case CompileResult::Outcome::kMissing:
      return absl::NotFoundError(fmt::format(
          "the second reference needs the C compiler {}: install it (Debian: apt-get install {})",
          options.compiler, options.compiler));
    case CompileResult::Outcome::kTimedOut:
      return absl::InternalError(fmt::format("{} took longer than {} ms on the printed C",
                                             options.compiler, options.compile_deadline.count()));
    default:
      return absl::InternalError(fmt::format("{} did not accept the printed C:\n{}",
                                             options.compiler,
                                             compiled.diagnostics.substr(0, 2000)));
  }
}

Result Conclude(const IsolatedOutcome& outcome, const ArgumentMemory& memory,
                const std::string& source, const SecondReferenceOptions& options) {
  switch (outcome.kind) {
    case IsolatedOutcome::Kind::kFinished:
      if (const int damaged = memory.FirstDamaged(); damaged >= 0) {
        return absl::OutOfRangeError(
            fmt::format("the program wrote beside buffer parameter {}", damaged));
      }
      return memory.Buffers();
    case IsolatedOutcome::Kind::kCheckFailed:
      return absl::FailedPreconditionError(WithSourceLine(outcome.report, source));
    case IsolatedOutcome::Kind::kCrashed:
      return absl::AbortedError(outcome.signal == 0 ? outcome.report
                                                    : fmt::format("the program died of SIG{}",
                                                                  sigabbrev_np(outcome.signal)));
    case IsolatedOutcome::Kind::kTimedOut:
      return absl::DeadlineExceededError(
          fmt::format("the program ran for more than {} ms", options.run_deadline.count()));
    case IsolatedOutcome::Kind::kNotLoaded:
      return absl::InternalError(outcome.report);
  }
  return absl::InternalError("an unknown outcome");
}

// What is to be run of one Case, or why nothing is.
struct Prepared {
  std::string entry;
  std::optional<ArgumentMemory> memory;
  absl::Status status;
};

Prepared Prepare(const Case& test_case, size_t index, c_target::TranslationUnit* unit) {
  Prepared prepared;
  prepared.entry = fmt::format("irate_entry{}", index);
  prepared.status = unit->Add(test_case.module(), prepared.entry);
  if (!prepared.status.ok()) return prepared;
  absl::StatusOr<ArgumentMemory> memory =
      ArgumentMemory::Create(test_case.module().functions(0), test_case.inputs());
  prepared.status = memory.status();
  if (memory.ok()) prepared.memory.emplace(*std::move(memory));
  return prepared;
}

}  // namespace

std::vector<Result> RunSecondReferences(absl::Span<const Case* const> cases,
                                        const SecondReferenceOptions& options) {
  const auto all = [&](const absl::Status& status) {
    return std::vector<Result>(cases.size(), Result(status));
  };
  c_target::TranslationUnit unit(/*checked=*/!options.pass_result);
  std::vector<Prepared> prepared;
  std::vector<IsolatedCall> calls;
  prepared.reserve(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    Prepared& next = prepared.emplace_back(Prepare(*cases[i], i, &unit));
    if (next.memory.has_value()) calls.push_back({next.entry, &*next.memory});
  }
  std::vector<Result> results;
  std::vector<IsolatedOutcome> outcomes;
  const std::string source = unit.Source();
  if (!calls.empty()) {
    absl::StatusOr<c_target::ScratchDirectory> directory = c_target::ScratchDirectory::Create();
    if (!directory.ok()) return all(directory.status());
    c_target::CompilerOptions compiler;
    compiler.compiler = options.compiler;
    compiler.deadline = options.compile_deadline;
    compiler.flags = {"-O0", "-ffp-contract=off"};
    if (options.pass_result) {
      compiler.flags.push_back("-fwrapv");
    } else {
      compiler.flags.insert(compiler.flags.end(),
                            {"-fsanitize=undefined,float-cast-overflow",
                             "-fno-sanitize-recover=all", "-fno-sanitize-link-runtime"});
    }
    const absl::StatusOr<CompileResult> compiled =
        c_target::CompileShared(source, compiler, *directory);
    if (!compiled.ok()) return all(compiled.status());
    if (compiled->outcome != CompileResult::Outcome::kOk) {
      if (calls.size() == 1 || compiled->outcome == CompileResult::Outcome::kMissing) {
        return all(CompileError(*compiled, options));
      }
      // One Case spoils the unit: the others have their answers on their own.
      for (const Case* one : cases) {
        results.push_back(std::move(RunSecondReferences({&one, 1}, options)[0]));
      }
      return results;
    }
    absl::StatusOr<std::vector<IsolatedOutcome>> run =
        c_target::RunIsolated(compiled->library, calls, options.run_deadline);
    if (!run.ok()) return all(run.status());
    outcomes = *std::move(run);
  }
  size_t next = 0;
  for (const Prepared& one : prepared) {
    if (one.memory.has_value()) {
      results.push_back(Conclude(outcomes[next++], *one.memory, source, options));
    } else {
      results.emplace_back(one.status);
    }
  }
  return results;
}

Result RunSecondReference(const Case& test_case, const SecondReferenceOptions& options) {
  const Case* one = &test_case;
  return std::move(RunSecondReferences({&one, 1}, options)[0]);
}

absl::StatusOr<std::optional<Difference>> SecondReferenceDifference(
    const Case& test_case, const Interpretation& interpretation,
    const SecondReferenceOptions& options) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, RunSecondReference(test_case, options));
  return Compare(interpretation, outputs);
}

}  // namespace irate
