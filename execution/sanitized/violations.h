// What the checks of this folder report, as the violations that oracles read.
#pragma once

#include <string>
#include <vector>

#include "execution/sanitized/abi_check.h"
#include "execution/sanitized/report.h"
#include "execution/sanitized/wrong_calls.h"
#include "ir/observation.pb.h"

namespace irate::sanitized {

// "memory.out-of-bounds.write.workspace", "value.signed-overflow", "contract.workspace-alignment".
ContractViolation ToViolation(const Report& report);
// "abi.packed-argument-count"
ContractViolation ToViolation(const AbiViolation& violation);
// "wrong-call.alignment.accepted", "wrong-call.rank.out-of-bounds": of reports that
// JudgeWrongCall gave, at least one.
ContractViolation ToViolation(const WrongCall& call, const std::vector<Report>& reports);

}  // namespace irate::sanitized
