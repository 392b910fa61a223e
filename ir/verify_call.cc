// Calls of intrinsics and of functions of the module.
#include "fmt/format.h"
#include "ir/intrinsics.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {

absl::Status FunctionVerifier::CheckCall(const Expr& expr) {
  if (expr.name().empty()) return Fail("a call without a name");
  if (expr.name().front() == '@') return CheckFunctionCall(expr);
  const Intrinsic* intrinsic = FindIntrinsic(expr.name());
  if (intrinsic == nullptr) {
    if (options_.lifted) return absl::OkStatus();
    return Fail(fmt::format("call of the unknown intrinsic {}; ir/intrinsics.cc has the list",
                            expr.name()));
  }
  const int count = expr.args_size();
  if (count < intrinsic->min_args || (intrinsic->max_args >= 0 && count > intrinsic->max_args)) {
    return Fail(fmt::format("{} takes {}{} arguments, not {}", expr.name(), intrinsic->min_args,
                            intrinsic->max_args < 0 ? " or more"
                            : intrinsic->max_args > intrinsic->min_args
                                ? fmt::format(" to {}", intrinsic->max_args)
                                : "",
                            count));
  }
  return options_.lifted ? absl::OkStatus() : CheckIntrinsicTypes(expr);
}

absl::Status FunctionVerifier::CheckIntrinsicTypes(const Expr& expr) {
  const Intrinsic& intrinsic = *FindIntrinsic(expr.name());
  if (intrinsic.signature == IntrinsicSignature::kAny) return absl::OkStatus();
  const Type first = TypeOf(expr.args(0));
  const auto fail = [&](std::string_view wanted) {
    return Fail(fmt::format("{} of {} giving {}: {}", expr.name(), ToString(first),
                            ToString(TypeOf(expr)), wanted));
  };
  switch (intrinsic.signature) {
    case IntrinsicSignature::kFloats:
      if (!IsFloat(first.scalar)) return fail("operands and result are of one float type");
      break;
    case IntrinsicSignature::kFloatTest:
      if (!IsFloat(first.scalar)) return fail("the operand is a float");
      return ExpectType(expr, {BOOL, first.lanes});
    case IntrinsicSignature::kFloatAndInt: {
      const Type second = TypeOf(expr.args(1));
      if (!IsFloat(first.scalar) || !IsInteger(second.scalar) || second.lanes != first.lanes) {
        return fail("the operands are a float and an integer of equal lanes");
      }
      return ExpectType(expr, first);
    }
    case IntrinsicSignature::kIntegers:
      if (!IsInteger(first.scalar)) return fail("operands and result are of one integer type");
      break;
    case IntrinsicSignature::kIntegerCount:
      if (!IsInteger(first.scalar)) return fail("the operand is an integer");
      if (!IsInteger(expr.type()) || expr.lanes() != first.lanes) {
        return fail("the result is an integer of equal lanes");
      }
      return absl::OkStatus();
    case IntrinsicSignature::kCondition:
      if (first.scalar != BOOL) return fail("the operand is a bool");
      break;
    case IntrinsicSignature::kAny:
      break;
  }
  for (const Expr& arg : expr.args()) {
    if (!(TypeOf(arg) == first)) {
      return Fail(
          fmt::format("{} of {} and {}", expr.name(), ToString(first), ToString(TypeOf(arg))));
    }
  }
  return ExpectType(expr, first);
}

absl::Status FunctionVerifier::CheckFunctionCall(const Expr& expr) {
  const std::string_view name = std::string_view(expr.name()).substr(1);
  const auto found = functions_.find(name);
  if (found == functions_.end()) return Fail(fmt::format("call of the unknown function {}", name));
  const Function* callee = &module_.functions(found->second);
  if (callee->params_size() != expr.args_size()) {
    return Fail(fmt::format("{} takes {} arguments, not {}", name, callee->params_size(),
                            expr.args_size()));
  }
  for (int i = 0; i < expr.args_size(); ++i) {
    const Param& param = callee->params(i);
    Type wanted{HANDLE, 0};
    if (param.kind() == PARAM_SCALAR) {
      // The callee's own verification reports an id out of range.
      if (param.id() >= static_cast<uint32_t>(callee->variables_size())) continue;
      wanted = TypeOf(callee->variables(static_cast<int>(param.id())));
    }
    if (!(TypeOf(expr.args(i)) == wanted)) {
      return Fail(fmt::format("argument {} of {} is {}, not {}", i, name,
                              ToString(TypeOf(expr.args(i))), ToString(wanted)));
    }
  }
  return ExpectType(expr, {callee->result(), 0});
}

}  // namespace irate::verify
