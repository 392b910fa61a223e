#include "fmt/format.h"
#include "ir/intrinsics.h"
#include "ir/text_printer.h"
#include "ir/types.h"
#include "ir/verify.h"

namespace irate::text {
namespace {

// Deeper than anything verified.
constexpr int kCutOff = 2 * kMaxDepth;

bool SameIntConst(const Expr& a, const Expr& b) {
  return a.op() == CONST && b.op() == CONST && a.type() == b.type() && IsInteger(a.type());
}

}  // namespace

ValueType ImpliedCallType(std::string_view name, const Expr* first_arg) {
  const Intrinsic* intrinsic = FindIntrinsic(name);
  if (intrinsic == nullptr || first_arg == nullptr) return {VOID, 0};
  switch (intrinsic->signature) {
    case IntrinsicSignature::kAny:
      return {VOID, 0};
    case IntrinsicSignature::kFloatTest:
      return {BOOL, first_arg->lanes()};
    default:
      return {first_arg->type(), first_arg->lanes()};
  }
}

void Printer::PrintExpr(const Expr& expr, Precedence context) {
  if (++depth_ > kCutOff) {
    out_ += "<too deep>";
  } else if (FindInfix(expr.op()) != nullptr && expr.args_size() == 2) {
    PrintInfix(expr, context);
  } else if ((expr.op() == NOT || expr.op() == BIT_NOT) && expr.args_size() == 1) {
    out_ += expr.op() == NOT ? '!' : '~';
    PrintExpr(expr.args(0), kUnary);
  } else if (expr.op() == LET && expr.args_size() == 2) {
    if (context > kLoosest) out_ += '(';
    out_ += fmt::format("let {} = ", names_.Variable(expr.id()));
    PrintExpr(expr.args(0));
    out_ += " in ";
    PrintExpr(expr.args(1));
    if (context > kLoosest) out_ += ')';
  } else {
    PrintPrimary(expr);
  }
  --depth_;
}

void Printer::PrintInfix(const Expr& expr, Precedence context) {
  const Infix& infix = *FindInfix(expr.op());
  const auto tighter = static_cast<Precedence>(infix.precedence + 1);
  if (context > infix.precedence) out_ += '(';
  PrintExpr(expr.args(0), infix.precedence == kCompare ? tighter : infix.precedence);
  out_ += fmt::format(" {} ", infix.spelling);
  PrintExpr(expr.args(1), tighter);
  if (context > infix.precedence) out_ += ')';
}

void Printer::PrintPrimary(const Expr& expr) {
  const int count = expr.args_size();
  if (const Prefix* prefix = FindPrefix(expr.op())) {
    out_ += prefix->name;
    PrintArgs(expr.args());
    return;
  }
  switch (expr.op()) {
    case CONST:
      out_ += PrintConst(expr);
      return;
    case VAR:
      out_ += names_.Variable(expr.id());
      return;
    case STRING:
      out_ += Quote(expr.name());
      return;
    case LOAD:
      out_ += names_.Buffer(expr.id());
      PrintBrackets(expr.args());
      return;
    case BUFFER_DATA:
      out_ += names_.Buffer(expr.id()) + ".data";
      return;
    case CAST:
      // The lanes are those of the operand.
      out_ += TypeName(expr.type());
      PrintArgs(expr.args());
      return;
    case REINTERPRET:
      out_ += fmt::format("reinterpret<{}>", PrintType(expr.type(), expr.lanes()));
      PrintArgs(expr.args());
      return;
    case RAMP:
    case BROADCAST:
      out_ += expr.op() == RAMP ? "ramp(" : "broadcast(";
      for (const Expr& arg : expr.args()) {
        PrintExpr(arg);
        out_ += ", ";
      }
      out_ += fmt::format("{})", expr.lanes());
      return;
    case SHUFFLE:
      out_ += "shuffle(";
      PrintBrackets(expr.args());
      out_ += fmt::format(", [{}])", fmt::join(expr.int_list(), ", "));
      return;
    case CALL:
      PrintCall(expr);
      return;
    default:
      out_ += fmt::format("<{} of {} operands>", OpName(expr.op()), count);
      return;
  }
}

void Printer::PrintCall(const Expr& expr) {
  const std::string_view name = expr.name();
  if (name.starts_with('@')) {
    out_ += "@" + SpellName(name.substr(1));
  } else if (FindIntrinsic(name) != nullptr) {
    out_ += name;
  } else {
    out_ += "call " + Quote(name);
  }
  const Expr* first = expr.args_size() == 0 ? nullptr : &expr.args(0);
  const ValueType implied = ImpliedCallType(name, first);
  if (implied.scalar != expr.type() || implied.lanes != expr.lanes()) {
    out_ += fmt::format("<{}>", PrintType(expr.type(), expr.lanes()));
  }
  PrintArgs(expr.args());
}

void Printer::PrintArgs(const Exprs& args, int first) {
  out_ += '(';
  for (int i = first; i < args.size(); ++i) {
    if (i != first) out_ += ", ";
    PrintExpr(args[i]);
  }
  out_ += ')';
}

void Printer::PrintBrackets(const Exprs& args, int first) {
  out_ += '[';
  for (int i = first; i < args.size(); ++i) {
    if (i != first) out_ += ", ";
    PrintExpr(args[i]);
  }
  out_ += ']';
}

void Printer::PrintRange(const Expr& min, const Expr& extent) {
  int64_t end = 0;
  const bool overflow = __builtin_add_overflow(min.int_value(), extent.int_value(), &end);
  const bool end_fits =
      !overflow && (min.type() == U64 ? min.int_value() >= 0 && extent.int_value() >= 0
                                      : end >= MinValue(min.type()) && end <= MaxValue(min.type()));
  if (SameIntConst(min, extent) && end_fits) {
    Expr last = min;
    last.set_int_value(end);
    out_ += fmt::format("{}..{}", PrintConst(min), PrintConst(last));
    return;
  }
  const bool from_zero =
      min.op() == CONST && IsInteger(min.type()) && min.int_value() == 0 && extent.op() != CONST;
  PrintExpr(min, kOr);
  out_ += from_zero ? ".." : " +: ";
  PrintExpr(extent, kOr);
}

}  // namespace irate::text
