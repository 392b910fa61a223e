// The part of ExprPrinter for calls of external functions (ir/external.h), written out in place.
#include "ir/external.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/expr_printer.h"

namespace irate::c_target {
namespace {

// Of operands `a` and `b` of the C type `type`; integers wrap.
std::string Result(Op op, ScalarType element, const std::string& type) {
  if (op == MIN) return "b < a ? b : a";
  if (op == MAX) return "a < b ? b : a";
  const char* sign = op == ADD ? "+" : op == SUB ? "-" : "*";
  if (IsFloat(element)) return fmt::format("a {} b", sign);
  return fmt::format("({})((uint64_t)a {} (uint64_t)b)", type, sign);
}

}  // namespace

std::string ExprPrinter::PrintExternalCall(const Expr& expr) {
  const ExternalFunction* function =
      expr.args_size() == 0 ? nullptr : FindExternalFunction(expr.args(0).name());
  if (function == nullptr || expr.args_size() != 1 + function->arity()) {
    Refuse(expr.name());
    return "0";
  }
  const ScalarType element = expr.args(1).args_size() == 6 ? expr.args(1).args(4).type() : VOID;
  const std::string type = CType(element, 0);
  std::string text = "({ ";
  for (int i = 1; i < expr.args_size(); ++i) {
    const Expr& tensor = expr.args(i);
    const bool is_plain = tensor.name() == "tvm_stack_make_array" && tensor.args_size() == 6 &&
                          tensor.args(1).name() == "tvm_stack_make_shape" &&
                          tensor.args(4).type() == element;
    if (!is_plain || !ExternalTakes(element)) {
      Refuse(fmt::format("{} of {}", function->name, tensor.name()));
      return "0";
    }
    text += fmt::format("{}* p{} = ({}*){} + {}; ", type, i, type, Print(tensor.args(0)),
                        Print(tensor.args(5)));
  }
  std::vector<std::string> extents = {"(int64_t)1"};
  for (const Expr& extent : expr.args(1).args(1).args()) extents.push_back(Print(extent));
  text += fmt::format("for (int64_t i = 0; i < {}; ++i) {{ {} a = p1[i], b = p{}[i]; ",
                      absl::StrJoin(extents, " * "), type, function->inputs > 1 ? 2 : 1);
  for (size_t k = 0; k < function->outputs.size(); ++k) {
    text += fmt::format("p{}[i] = {}; ", static_cast<size_t>(function->inputs) + 1 + k,
                        Result(function->outputs[k], element, type));
  }
  return text + fmt::format("}} ({})0; }})", CType(expr.type(), 0));
}

}  // namespace irate::c_target
