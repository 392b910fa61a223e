// Where a failure happened, in the words of a finding. Shared by the oracles that judge failures.
#pragma once

#include <string>
#include <string_view>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

inline constexpr char kLowering[] = "lower";
inline constexpr char kCodegen[] = "codegen";
inline constexpr char kGeneratedCode[] = "generated-code";

// The failure stopped the compiler, not the program that it made and not our own lifting.
bool InCompiler(const Failure& failure);
bool InGeneratedCode(const Failure& failure);

// The pass for STAGE_PASS, "schedule.<primitive>" for STAGE_SCHEDULE, else kLowering, kCodegen or
// kGeneratedCode.
std::string CulpritOf(const Failure& failure);

// The signal (or the sanitizer's error kind) and the top three frames.
std::string CrashShape(const Failure& failure);

bool IsStrict(const Case& test_case);

// A Finding about `variant` with everything but shape, summary and detail.
Finding NewFinding(std::string_view oracle, const Observation& observation, uint32_t variant,
                   std::string_view culprit, int32_t step);

// Stage, pass, error kind, message and frames, some lines.
std::string DescribeFailure(const Failure& failure);

}  // namespace irate
