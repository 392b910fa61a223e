#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "oracles/analysis/check.h"

namespace irate::analysis {
namespace {

const char* Infix(Op op) {
  switch (op) {
    case ADD:
      return "+";
    case SUB:
      return "-";
    case MUL:
      return "*";
    case FLOOR_DIV:
      return "//";
    case FLOOR_MOD:
      return "%";
    case EQ:
      return "==";
    case NE:
      return "!=";
    case LT:
      return "<";
    case LE:
      return "<=";
    case GT:
      return ">";
    case GE:
      return ">=";
    case AND:
      return "and";
    case OR:
      return "or";
    case BIT_AND:
      return "&";
    case BIT_OR:
      return "|";
    case BIT_XOR:
      return "^";
    case SHL:
      return "<<";
    case SHR:
      return ">>";
    default:
      return nullptr;
  }
}

const char* Prefix(Op op) {
  switch (op) {
    case TRUNC_DIV:
      return "truncdiv";
    case TRUNC_MOD:
      return "truncmod";
    case MIN:
      return "min";
    case MAX:
      return "max";
    case SELECT:
      return "select";
    case IF_THEN_ELSE:
      return "if_then_else";
    case NOT:
      return "not";
    default:
      return nullptr;
  }
}

}  // namespace

std::string ToText(const Expr& expr, const AnalysisQuestion& question,
                   const AnalysisAnswers* answers) {
  const auto name = [&](uint32_t id) {
    const auto index = static_cast<int>(id);
    if (index < question.variables_size()) return question.variables(index).name();
    const int rest = index - question.variables_size();
    if (answers != nullptr && rest < answers->variables_size()) {
      return answers->variables(rest).name();
    }
    return fmt::format("v{}", id);
  };
  std::vector<std::string> args;
  for (const Expr& arg : expr.args()) {
    std::string text = ToText(arg, question, answers);
    const bool atom = arg.args().empty() || Infix(arg.op()) == nullptr;
    args.push_back(!atom && Infix(expr.op()) != nullptr ? fmt::format("({})", text) : text);
  }
  if (expr.op() == CONST) {
    if (expr.type() == BOOL) return expr.int_value() != 0 ? "true" : "false";
    return fmt::format("{}", expr.int_value());
  }
  if (expr.op() == VAR) return name(expr.id());
  if (expr.op() == STRING) return "-";
  if (const char* infix = Infix(expr.op()); infix != nullptr && args.size() == 2) {
    return fmt::format("{} {} {}", args[0], infix, args[1]);
  }
  if (expr.op() == CAST) return fmt::format("{}({})", std::string(TypeName(expr.type())), args[0]);
  if (expr.op() == LET) return fmt::format("let({} = {}, {})", name(expr.id()), args[0], args[1]);
  if (expr.op() == RAMP) return fmt::format("ramp({}, {}, {})", args[0], args[1], expr.lanes());
  if (expr.op() == BROADCAST) return fmt::format("broadcast({}, {})", args[0], expr.lanes());
  const char* prefix = Prefix(expr.op());
  const std::string function = prefix != nullptr   ? prefix
                               : expr.op() == CALL ? expr.name()
                                                   : std::string(OpName(expr.op()));
  return fmt::format("{}({})", function, absl::StrJoin(args, ", "));
}

}  // namespace irate::analysis
