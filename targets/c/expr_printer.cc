#include "targets/c/expr_printer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/intrinsics.h"
#include "targets/c/scalar_ops.h"

namespace irate::c_target {

std::string ModuleContext::FunctionName(int index) const {
  return prefix + CFunctionName(module->functions(index).name(), static_cast<uint32_t>(index));
}

void ExprPrinter::Refuse(std::string_view what) {
  if (!status_.ok()) return;
  status_ = absl::UnimplementedError(
      fmt::format("the C printer has no {} (in function {})", what, function_.name()));
}

std::string ExprPrinter::VariableName(uint32_t id) const {
  return CVariableName(function_.variables(static_cast<int>(id)).name(), id);
}

std::string ExprPrinter::Print(const Expr& expr) {
  switch (expr.op()) {
    case CONST:
      return PrintConstant(expr);
    case VAR:
      return VariableName(expr.id());
    case LOAD:
      return PrintLoad(expr);
    case BUFFER_DATA:
      return fmt::format("((void*){})", BufferName(expr.id()));
    case IF_THEN_ELSE:
      if (Lanes(expr.args(0).lanes()) > 1) {
        Refuse("IF_THEN_ELSE with a vector condition");
        return "0";
      }
      return fmt::format("({} ? {} : {})", Print(expr.args(0)), Print(expr.args(1)),
                         Print(expr.args(2)));
    case CAST:
      return PrintCast(expr);
    case REINTERPRET:
      return PrintReinterpret(expr);
    case RAMP:
      return PrintRamp(expr);
    case BROADCAST:
      return PrintBroadcast(expr);
    case SHUFFLE:
      return PrintShuffle(expr);
    case LET:
      return PrintLet(expr);
    case CALL:
      return PrintCall(expr);
    default:
      return PrintOperator(expr);
  }
}

std::string ExprPrinter::PrintConstant(const Expr& expr) {
  if (!IsFloat(expr.type())) return CInteger(expr.type(), expr.int_value());
  if (IsBitPattern(expr.type())) context_.prelude->Need(TypeName(expr.type()));
  return CFloat(expr.type(), expr.float_value());
}

std::string ExprPrinter::PrintLanewise(
    const Expr& expr, const std::string& name,
    const std::function<std::string(const std::vector<std::string>&)>& scalar) {
  std::vector<ValueType> types;
  std::vector<std::string> operands;
  for (const Expr& arg : expr.args()) {
    types.push_back({arg.type(), arg.lanes()});
    operands.push_back(Print(arg));
  }
  if (Lanes(expr.lanes()) == 1) return scalar(operands);
  const std::string helper =
      context_.prelude->Lanewise(name, {expr.type(), expr.lanes()}, types, scalar);
  return fmt::format("{}({})", helper, absl::StrJoin(operands, ", "));
}

std::string ExprPrinter::PrintOperator(const Expr& expr) {
  if (expr.args().empty()) {
    Refuse(OpName(expr.op()));
    return "0";
  }
  // Of SELECT and of comparisons the operands' type is not the result's.
  const Expr& operand = expr.args(expr.args_size() - 1);
  const std::string_view scalar_condition =
      expr.op() == SELECT && Lanes(expr.args(0).lanes()) == 1 ? "s" : "";
  const std::string name =
      fmt::format("irate_{}{}_{}", absl::AsciiStrToLower(std::string(OpName(expr.op()))),
                  scalar_condition, TypeSuffix(operand.type(), expr.lanes()));
  return PrintLanewise(expr, name, [&](const std::vector<std::string>& operands) {
    absl::StatusOr<std::string> text =
        ScalarOp(context_.prelude, expr.op(), operand.type(), operands);
    if (text.ok()) return *text;
    Refuse(OpName(expr.op()));
    return std::string("0");
  });
}

std::string ExprPrinter::PrintCast(const Expr& expr) {
  const ScalarType from = expr.args(0).type();
  const std::string name =
      fmt::format("irate_cast_{}_{}", TypeName(from), TypeSuffix(expr.type(), expr.lanes()));
  return PrintLanewise(expr, name, [&](const std::vector<std::string>& operands) {
    return ScalarCast(context_.prelude, expr.type(), from, operands[0]);
  });
}

std::string ExprPrinter::PrintReinterpret(const Expr& expr) {
  const Expr& source = expr.args(0);
  const std::string name = context_.prelude->Function(
      fmt::format("irate_reinterpret_{}_{}", TypeSuffix(source.type(), source.lanes()),
                  TypeSuffix(expr.type(), expr.lanes())),
      {expr.type(), expr.lanes()}, {{source.type(), source.lanes()}}, [&] {
        return fmt::format("{} r; memcpy(&r, &a0, sizeof r); return r;",
                           CType(expr.type(), expr.lanes()));
      });
  return fmt::format("{}({})", name, Print(source));
}

std::string ExprPrinter::PrintRamp(const Expr& expr) {
  const ScalarType type = expr.type();
  const std::string name = context_.prelude->Function(
      fmt::format("irate_ramp_{}", TypeSuffix(type, expr.lanes())), {type, expr.lanes()},
      {{type, 0}, {type, 0}}, [&] {
        // By the IR's own operators: lane numbers are in range, products and sums may not be.
        const std::string lane = ScalarCast(context_.prelude, type, I32, "l");
        const std::string product = *ScalarOp(context_.prelude, MUL, type, {lane, "a1"});
        return fmt::format("{} r; for (int l = 0; l < {}; ++l) r.v[l] = {}; return r;",
                           CType(type, expr.lanes()), expr.lanes(),
                           *ScalarOp(context_.prelude, ADD, type, {"a0", product}));
      });
  return fmt::format("{}({}, {})", name, Print(expr.args(0)), Print(expr.args(1)));
}

std::string ExprPrinter::PrintBroadcast(const Expr& expr) {
  const std::string name = context_.prelude->Lanewise(
      fmt::format("irate_broadcast_{}", TypeSuffix(expr.type(), expr.lanes())),
      {expr.type(), expr.lanes()}, {{expr.type(), 0}},
      [](const std::vector<std::string>& operands) { return operands[0]; });
  return fmt::format("{}({})", name, Print(expr.args(0)));
}

std::string ExprPrinter::PrintShuffle(const Expr& expr) {
  std::string text = "({ ";
  std::vector<std::string> lanes;
  for (int i = 0; i < expr.args_size(); ++i) {
    const Expr& arg = expr.args(i);
    text += fmt::format("const {} irate_a{} = {}; ",
                        context_.prelude->Type(arg.type(), arg.lanes()), i, Print(arg));
    for (uint32_t lane = 0; lane < Lanes(arg.lanes()); ++lane) {
      lanes.push_back(Lanes(arg.lanes()) == 1 ? fmt::format("irate_a{}", i)
                                              : fmt::format("irate_a{}.v[{}]", i, lane));
    }
  }
  std::vector<std::string> chosen;
  for (const int64_t index : expr.int_list()) {
    if (index < 0 || index >= static_cast<int64_t>(lanes.size())) {
      Refuse("SHUFFLE with an index outside its vectors");
      return "0";
    }
    chosen.push_back(lanes[static_cast<size_t>(index)]);
  }
  if (chosen.size() == 1) return text + chosen[0] + "; })";
  return text + fmt::format("({}){{{{{}}}}}; }})",
                            context_.prelude->Type(expr.type(), expr.lanes()),
                            absl::StrJoin(chosen, ", "));
}

std::string ExprPrinter::PrintLet(const Expr& expr) {
  return fmt::format("({{ const {} {} = {}; {}; }})",
                     context_.prelude->Type(expr.args(0).type(), expr.args(0).lanes()),
                     VariableName(expr.id()), Print(expr.args(0)), Print(expr.args(1)));
}

}  // namespace irate::c_target
