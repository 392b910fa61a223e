// Conversions, shuffles and loads.
#include "fmt/format.h"
#include "ir/interpreter/compiler.h"
#include "ir/ops.h"

namespace irate::interp {

Reg FunctionCompiler::CompileConversion(const Expr& expr) {
  const bool is_ramp = expr.op() == RAMP;
  if (!Arity(expr, is_ramp ? 2 : 1, is_ramp ? 2 : 1)) return Nothing(expr);
  const Reg a = CompileExpr(expr.args(0));
  const Reg out = Nothing(expr);
  const auto is_number = [](ScalarType type) {
    return IsInteger(type) || IsFloat(type) || type == BOOL;
  };
  Instr instr{.code = Code::kCast,
              .type = out.type,
              .aux = static_cast<uint16_t>(a.type),
              .lanes = out.lanes,
              .dst = out.index,
              .a = a.index,
              .c = a.lanes};
  bool valid = true;
  switch (expr.op()) {
    case CAST:
      valid = is_number(a.type) && is_number(out.type) && a.lanes == out.lanes;
      break;
    case REINTERPRET: {
      instr.code = Code::kReinterpret;
      const auto size = [](Reg reg) { return uint64_t{reg.lanes} * ByteSize(reg.type); };
      valid = size(a) == size(out) && a.type != VOID && out.type != VOID;
      break;
    }
    case RAMP: {
      const Reg stride = CompileExpr(expr.args(1));
      instr.code = Code::kRamp;
      instr.b = stride.index;
      valid = a.lanes == 1 && stride.lanes == 1 && IsInteger(a.type) && a.type == out.type &&
              stride.type == a.type;
      break;
    }
    default:
      instr.code = Code::kBroadcast;
      valid = a.lanes == 1 && a.type == out.type;
      break;
  }
  if (!valid)
    Fail(fmt::format("{} of {} to {}", OpName(expr.op()), TypeName(a.type), TypeName(out.type)));
  Emit(instr);
  return out;
}

Reg FunctionCompiler::Shuffle(ScalarType type, const std::vector<uint32_t>& cells) {
  const Reg out = NewReg(type, static_cast<uint32_t>(cells.size()));
  Emit({.code = Code::kShuffle,
        .type = type,
        .lanes = out.lanes,
        .dst = out.index,
        .c = AddList(cells)});
  return out;
}

Reg FunctionCompiler::CompileShuffle(const Expr& expr) {
  if (!Arity(expr, 1, -1)) return Nothing(expr);
  std::vector<uint32_t> cells;
  for (const Expr& arg : expr.args()) {
    const Reg reg = CompileExpr(arg);
    if (reg.type != expr.type()) Fail("SHUFFLE of two types");
    for (uint32_t lane = 0; lane < reg.lanes; ++lane) cells.push_back(reg.index + lane);
  }
  std::vector<uint32_t> chosen;
  for (int64_t index : expr.int_list()) {
    if (index < 0 || static_cast<uint64_t>(index) >= cells.size()) {
      Fail("SHUFFLE picks an element that there is not");
      return Nothing(expr);
    }
    chosen.push_back(cells[static_cast<size_t>(index)]);
  }
  if (chosen.size() != Lanes(expr.lanes())) Fail("SHUFFLE of other lanes than its own");
  return Shuffle(expr.type(), chosen);
}

uint32_t FunctionCompiler::CompileIndices(const google::protobuf::RepeatedPtrField<Expr>& args,
                                          int first, const Buffer& buffer, uint32_t* list) {
  std::vector<uint32_t> indices;
  uint32_t lanes = 1;
  if (args.size() - first != buffer.shape_size()) {
    Fail(fmt::format("{} indices for the {} dimensions of {}", args.size() - first,
                     buffer.shape_size(), buffer.name()));
  }
  for (int i = first; i < args.size(); ++i) {
    const Reg reg = CompileExpr(args[i]);
    if (!IsInteger(reg.type)) Fail("an index that is no integer");
    if (reg.lanes != 1 && i + 1 != args.size()) Fail("a vector index that is not the last");
    indices.push_back(reg.index);
    lanes = reg.lanes;
  }
  *list = AddList(indices);
  return lanes;
}

Reg FunctionCompiler::CompileLoad(const Expr& expr, Code code) {
  if (!KnowsBuffer(expr.id())) return Nothing(expr);
  const Buffer& buffer = function_.buffers(static_cast<int>(expr.id()));
  uint32_t list = 0;
  const uint32_t lanes = CompileIndices(expr.args(), 0, buffer, &list);
  const bool is_address = code == Code::kAddressOf;
  const Reg out =
      is_address ? NewReg(HANDLE, 1) : NewReg(buffer.type(), lanes * Lanes(buffer.lanes()));
  const bool as_bool = !is_address && StoresBoolAs(buffer.type(), expr.type());
  if (!is_address && ((out.type != expr.type() && !as_bool) || out.lanes != Lanes(expr.lanes()))) {
    Fail(fmt::format("a load from {} of another type than its own", buffer.name()));
  }
  Emit({.code = code,
        .type = buffer.type(),
        .aux = static_cast<uint16_t>(expr.args_size()),
        .lanes = is_address ? 1 : lanes,
        .dst = out.index,
        .a = (select_depth_ > 0 && !is_address ? kSpeculativeLoad : 0) |
             (reduced_.contains(expr.id()) ? kReductionAccess : 0),
        .b = expr.id(),
        .c = list});
  return as_bool ? CastTo(BOOL, out) : out;
}

Reg FunctionCompiler::CastTo(ScalarType type, Reg from) {
  const Reg out = NewReg(type, from.lanes);
  Emit({.code = Code::kCast,
        .type = type,
        .aux = static_cast<uint16_t>(from.type),
        .lanes = from.lanes,
        .dst = out.index,
        .a = from.index});
  return out;
}

// TVM keeps bools in memory as bytes: StorageRewrite gives such an allocation the type i8.
bool FunctionCompiler::StoresBoolAs(ScalarType memory, ScalarType value) {
  return value == BOOL && (memory == I8 || memory == U8);
}

}  // namespace irate::interp
