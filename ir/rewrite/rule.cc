#include "ir/rewrite/rule.h"

namespace irate::rewrite {
namespace {

// "*" stands for any text.
bool Glob(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*') {
    return !text.empty() && text[0] == pattern[0] && Glob(pattern.substr(1), text.substr(1));
  }
  for (size_t skip = 0; skip <= text.size(); ++skip) {
    if (Glob(pattern.substr(1), text.substr(skip))) return true;
  }
  return false;
}

}  // namespace

bool Concerns(const Rule& rule, std::string_view pass) {
  const bool is_pass = pass != kAtLowering && pass != kAtCodegen && pass != kAtRuntime;
  for (const std::string& wanted : rule.passes) {
    // "*" means passes.
    if (!is_pass) {
      if (wanted == pass) return true;
      continue;
    }
    if (Glob(wanted, pass) || Glob(wanted, pass.substr(pass.rfind('.') + 1))) return true;
  }
  return false;
}

std::vector<std::string> ExpectedOracles(const Rule& rule) {
  if (rule.is_null) return {};
  if (!rule.expected_oracles.empty()) return rule.expected_oracles;
  switch (rule.action) {
    case Rule::Action::kRewrite:
    case Rule::Action::kSkip: {
      bool at_codegen = true;
      for (const std::string& pass : rule.passes) at_codegen &= pass == kAtCodegen;
      return {at_codegen ? "codegen-mismatch" : "pass-mismatch"};
    }
    case Rule::Action::kAlternate:
      return {"nondeterminism"};
    case Rule::Action::kMutateInput:
      return {"input-mutated"};
    case Rule::Action::kThrow:
      return {"internal-error"};
    case Rule::Action::kDiagnose:
      return {"rejected"};
    case Rule::Action::kCrash:
    case Rule::Action::kAbort:
      return {"compiler-crash"};
    case Rule::Action::kHang:
      return {"hang"};
    case Rule::Action::kLeak:
      return {"memory-growth"};
    case Rule::Action::kExhaust:
      return {"out-of-memory"};
    case Rule::Action::kRuntime:
      return {"contract-violation", "memory-error"};
  }
  return {};
}

}  // namespace irate::rewrite
