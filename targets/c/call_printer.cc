// The part of ExprPrinter for CALL.
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/intrinsics.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/expr_printer.h"
#include "targets/c/intrinsics.h"

namespace irate::c_target {

std::string ExprPrinter::PrintFunctionCall(const Expr& expr) {
  const std::string callee = expr.name().substr(1);
  const Module& module = *context_.module;
  for (int i = 0; i < module.functions_size(); ++i) {
    if (module.functions(i).name() != callee) continue;
    if (!DimensionVariables(module.functions(i)).empty()) {
      Refuse(fmt::format("call of {}, whose parameters have symbolic dimensions", expr.name()));
    }
    std::vector<std::string> args;
    for (const Expr& arg : expr.args()) args.push_back(Print(arg));
    return fmt::format("{}({})", context_.FunctionName(i), absl::StrJoin(args, ", "));
  }
  Refuse(fmt::format("function {}", expr.name()));
  return "0";
}

std::string ExprPrinter::PrintMemoryCall(const Expr& expr) {
  if (expr.name() == "address_of" && expr.args(0).op() == LOAD) {
    const Expr& load = expr.args(0);
    std::vector<std::string> indices;
    for (const Expr& index : load.args()) indices.push_back(Print(index));
    return fmt::format("((void*)&{})", Element(load.id(), indices));
  }
  if (expr.name() == "tvm_access_ptr") {
    // The first argument stands for the type of an element.
    const Expr& element = expr.args(0);
    return fmt::format("((void*)((char*){} + (int64_t){} * {}))", Print(expr.args(1)),
                       Print(expr.args(2)),
                       ByteSize(element.type()) * static_cast<int>(Lanes(element.lanes())));
  }
  if (expr.name() == "handle_add_byte_offset" || expr.name() == "ptr_byte_offset") {
    return fmt::format("((void*)((char*){} + {}))", Print(expr.args(0)), Print(expr.args(1)));
  }
  if (expr.name() == "isnullptr") return fmt::format("({} == NULL)", Print(expr.args(0)));
  Refuse(expr.name());
  return "0";
}

std::string ExprPrinter::PrintCall(const Expr& expr) {
  if (expr.name().rfind('@', 0) == 0) return PrintFunctionCall(expr);
  const Intrinsic* intrinsic = FindIntrinsic(expr.name());
  if (intrinsic == nullptr) {
    Refuse(fmt::format("intrinsic {}", expr.name()));
    return "0";
  }
  switch (intrinsic->kind) {
    case IntrinsicKind::kMath:
    case IntrinsicKind::kInteger: {
      std::vector<ScalarType> types;
      std::string suffix;
      for (const Expr& arg : expr.args()) {
        types.push_back(arg.type());
        suffix += fmt::format("_{}", TypeSuffix(arg.type(), arg.lanes()));
      }
      const std::string name = fmt::format("irate_{}{}_to_{}", expr.name(), suffix,
                                           TypeSuffix(expr.type(), expr.lanes()));
      return PrintLanewise(expr, name, [&](const std::vector<std::string>& operands) {
        absl::StatusOr<std::string> text =
            ScalarIntrinsic(context_.prelude, expr.name(), expr.type(), types, operands);
        if (text.ok()) return *text;
        Refuse(
            fmt::format("{} on {}", expr.name(), types.empty() ? "nothing" : TypeName(types[0])));
        return std::string("0");
      });
    }
    case IntrinsicKind::kHint:
      if (expr.name() == "likely") return Print(expr.args(0));
      if (expr.name() == "assume") {
        if (!context_.prelude->checked()) return fmt::format("((void){})", Print(expr.args(0)));
        context_.prelude->Need("assume");
        return fmt::format("irate_assume({})", Print(expr.args(0)));
      }
      Refuse(expr.name());
      return "0";
    case IntrinsicKind::kMemory:
      return PrintMemoryCall(expr);
    case IntrinsicKind::kCall:
      return PrintExternalCall(expr);
    case IntrinsicKind::kDevice:
    case IntrinsicKind::kControl:
      Refuse(expr.name());
      return "0";
  }
  return "0";
}

}  // namespace irate::c_target
