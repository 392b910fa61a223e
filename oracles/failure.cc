#include "oracles/failure.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"
#include "oracles/normalise.h"

namespace irate {

bool InCompiler(const Failure& failure) {
  switch (failure.stage()) {
    case STAGE_LOWER:
    case STAGE_SCHEDULE:
    case STAGE_PASS:
    case STAGE_BUILD:
      return true;
    default:
      return false;
  }
}

bool InGeneratedCode(const Failure& failure) { return failure.stage() == STAGE_RUN; }

std::string CulpritOf(const Failure& failure) {
  switch (failure.stage()) {
    case STAGE_PASS:
      return failure.pass().empty() ? "pass" : failure.pass();
    case STAGE_SCHEDULE:
      return failure.pass().empty() ? "schedule" : failure.pass();
    case STAGE_LOWER:
      return kLowering;
    case STAGE_RUN:
      return kGeneratedCode;
    default:
      return kCodegen;
  }
}

std::string CrashShape(const Failure& failure) {
  const std::string what = failure.kind() == Failure::SANITIZER && !failure.error_kind().empty()
                               ? failure.error_kind()
                               : SignalName(failure.signal());
  const std::string frames = TopFrames(failure.frames(), 3);
  return frames.empty() ? what : absl::StrCat(what, ".", frames);
}

bool IsStrict(const Case& test_case) { return test_case.passes().mode() == STRICT; }

Finding NewFinding(std::string_view oracle, const Observation& observation, uint32_t variant,
                   std::string_view culprit, int32_t step) {
  Finding finding;
  finding.set_oracle(std::string(oracle));
  finding.set_target(observation.variants(static_cast<int>(variant)).spec().target());
  finding.set_culprit(std::string(culprit));
  finding.set_step(step);
  finding.set_variant(variant);
  return finding;
}

std::string DescribeFailure(const Failure& failure) {
  std::string text =
      fmt::format("{} in {}", Failure::Kind_Name(failure.kind()), CulpritOf(failure));
  if (failure.signal() != 0) absl::StrAppend(&text, " (", SignalName(failure.signal()), ")");
  if (!failure.error_kind().empty()) absl::StrAppend(&text, "\n", failure.error_kind(), ":");
  if (!failure.message().empty()) absl::StrAppend(&text, "\n", failure.message());
  for (const std::string& frame : failure.frames()) absl::StrAppend(&text, "\n  at ", frame);
  return text;
}

}  // namespace irate
