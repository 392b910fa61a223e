#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "triage/analysis/reproducer.h"

namespace irate::analysis {
namespace {

std::string TypeText(ScalarType type) {
  if (type == BOOL) return "\"bool\"";
  return fmt::format("\"{}int{}\"", IsUnsigned(type) ? "u" : "", BitWidth(type));
}

const char* Constructor(Op op) {
  switch (op) {
    case ADD:
      return "Add";
    case SUB:
      return "Sub";
    case MUL:
      return "Mul";
    case TRUNC_DIV:
      return "Div";
    case TRUNC_MOD:
      return "Mod";
    case FLOOR_DIV:
      return "FloorDiv";
    case FLOOR_MOD:
      return "FloorMod";
    case MIN:
      return "Min";
    case MAX:
      return "Max";
    case EQ:
      return "EQ";
    case NE:
      return "NE";
    case LT:
      return "LT";
    case LE:
      return "LE";
    case GT:
      return "GT";
    case GE:
      return "GE";
    case AND:
      return "And";
    case OR:
      return "Or";
    case NOT:
      return "Not";
    case BIT_AND:
      return "BitwiseAnd";
    case BIT_OR:
      return "BitwiseOr";
    case BIT_XOR:
      return "BitwiseXor";
    case SHL:
      return "LShift";
    case SHR:
      return "RShift";
    case SELECT:
      return "Select";
    case RAMP:
      return "Ramp";
    case LET:
      return "Let";
    default:
      return nullptr;
  }
}

}  // namespace

std::string NativeText(const Expr& expr, const AnalysisQuestion& question) {
  std::vector<std::string> args;
  for (const Expr& arg : expr.args()) args.push_back(NativeText(arg, question));
  switch (expr.op()) {
    case CONST:
      return fmt::format("Int({}, {})", TypeText(expr.type()), expr.int_value());
    case VAR:
      return question.variables(static_cast<int>(expr.id())).name();
    case CAST:
      return fmt::format("prim(\"Cast\", PrimType({}), {})", TypeText(expr.type()), args[0]);
    case BROADCAST:
      return fmt::format("prim(\"Broadcast\", {}, Int(\"int32\", {}))", args[0], expr.lanes());
    case RAMP:
      args.push_back(fmt::format("Int(\"int32\", {})", expr.lanes()));
      break;
    case LET:
      args.insert(args.begin(), question.variables(static_cast<int>(expr.id())).name());
      break;
    case IF_THEN_ELSE:
      return fmt::format("tvm.tirx.if_then_else({})", absl::StrJoin(args, ", "));
    default:
      break;
  }
  const char* constructor = Constructor(expr.op());
  return fmt::format("prim(\"{}\", {})", constructor == nullptr ? "?" : constructor,
                     absl::StrJoin(args, ", "));
}

const char* const kPythonPrelude = R"py(import itertools
import os
import sys
import traceback

sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))

import tvm
import tvm_ffi

call = tvm_ffi.get_global_func
PrimType = tvm.ir.PrimType
INFINITY = (1 << 63) - 1


def Int(dtype, value):
    return call("ir.IntImm")(dtype, value, None)


def prim(name, *args):
    return call("prim." + name)(*args, None)


def variable(name, dtype):
    return call("ir.Var")(name, PrimType(dtype), None)


def interval(low, extent, dtype):
    return call("ir.Range_from_min_extent")(Int(dtype, low), Int(dtype, extent), None)


def int_set(low, extent, dtype):
    return call("sym.intset_interval")(Int(dtype, low), Int(dtype, low + extent - 1))


class Undefined(Exception):
    """A division by zero."""


class NotJudged(Exception):
    """A value leaves its type, which TVM assumes not to happen."""


def truncdiv(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATORS = {
    "Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b, "FloorMod": lambda a, b: a % b,
    "Div": truncdiv, "Mod": lambda a, b: a - truncdiv(a, b) * b,
    "Min": min, "Max": max, "EQ": lambda a, b: int(a == b), "NE": lambda a, b: int(a != b),
    "LT": lambda a, b: int(a < b), "LE": lambda a, b: int(a <= b), "GT": lambda a, b: int(a > b),
    "GE": lambda a, b: int(a >= b), "BitwiseAnd": lambda a, b: a & b,
    "BitwiseOr": lambda a, b: a | b, "BitwiseXor": lambda a, b: a ^ b,
    "LShift": lambda a, b: a << b, "RShift": lambda a, b: a >> b,
}


def evaluate(node, values, strict, lane=0):
    """The value of an expression. `strict`: of a question, where all operands count and a value
    outside its type is not judged; an answer is over unbounded integers."""
    kind = type(node).__name__
    at = lambda part: evaluate(part, values, strict, lane)
    if kind == "IntImm":
        return int(node.value)
    if kind == "Var":
        return {"pos_inf": INFINITY, "neg_inf": -INFINITY}[node.name] if (
            node.name in ("pos_inf", "neg_inf")) else values[node.name]
    if kind == "Not":
        return int(not at(node.a))
    if kind in ("And", "Or"):
        if strict:
            a, b = at(node.a), at(node.b)
            return int(a and b) if kind == "And" else int(a or b)
        return int(at(node.a) and at(node.b)) if kind == "And" else int(at(node.a) or at(node.b))
    if kind == "Select" or (kind == "Call" and node.op.name.endswith("if_then_else")):
        parts = ((node.condition, node.true_value, node.false_value) if kind == "Select"
                 else tuple(node.args))
        if strict:
            at(parts[1]), at(parts[2])
        return at(parts[1]) if at(parts[0]) else at(parts[2])
    if kind == "Call" and node.op.name.endswith("likely"):
        return at(node.args[0])
    if kind == "Broadcast":
        return at(node.value)
    if kind == "Let":
        inner = dict(values)
        inner[node.var.name] = at(node.value)
        return evaluate(node.body, inner, strict, lane)
    if kind == "Ramp":
        result = at(node.base) + lane * at(node.stride)
    elif kind == "Cast":
        result = at(node.value)
    else:
        a, b = at(node.a), at(node.b)
        if b == 0 and kind in ("FloorDiv", "FloorMod", "Div", "Mod"):
            raise Undefined
        if kind in ("LShift", "RShift") and not 0 <= b < 63:
            raise NotJudged
        result = OPERATORS[kind](a, b)
    bits = int("".join(c for c in str(node.ty.dtype).split("x")[0] if c.isdigit()) or 1)
    if kind == "Cast" and not strict:
        result &= (1 << bits) - 1
        return result - (1 << bits) if bits > 1 and result >> (bits - 1) else result
    if bits > 1 and not -(1 << (bits if strict else 64) - 1) <= result < 1 << (bits if strict else 64) - 1:
        raise NotJudged
    return result


def points():
    for values in itertools.product(*DOMAINS.values()):
        yield dict(zip(DOMAINS.keys(), values))


def judged_points():
    """Points and lanes at which everything that was asked is defined, with its values."""
    for values in points():
        for lane in range(LANES):
            try:
                if not all(evaluate(c, values, True, lane) for c in CONDITIONS):
                    continue
                yield values, lane, [evaluate(e, values, True, lane) for e in ASKED]
            except (Undefined, NotJudged):
                pass


def answer_at(node, values, lane):
    """The answer's value; None where it is not judged, "undefined" where it divides by zero."""
    try:
        return evaluate(node, values, False, lane)
    except Undefined:
        return "undefined"
    except NotJudged:
        return None


def wrong(values, lane, text):
    print(f"WRONG at {values}" + (f", lane {lane}" if LANES > 1 else "") + f": {text}")
    sys.exit(1)
)py";

}  // namespace irate::analysis
