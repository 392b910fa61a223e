#include "ir/interpreter/compiler.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "fmt/format.h"
#include "ir/measure.h"
#include "ir/status_macros.h"
#include "ir/verify.h"

namespace irate::interp {
namespace {

// A frame of this many cells is 100 MiB; real modules have thousands.
constexpr uint64_t kMaxCells = uint64_t{1} << 20;

}  // namespace

absl::StatusOr<Program> CompileModule(const Module& module) {
  if (module.functions_size() == 0) return absl::InvalidArgumentError("a module without functions");
  const Measure measure = MeasureModule(module);
  if (measure.depth > 2 * kMaxDepth || measure.nodes > 4 * kMaxNodes) {
    return absl::InvalidArgumentError("the module is nested too deeply or too large");
  }
  Program program;
  for (const Function& function : module.functions()) {
    IRATE_ASSIGN_OR_RETURN(CompiledFunction compiled, FunctionCompiler(module, function).Compile());
    program.functions.push_back(std::move(compiled));
  }
  return program;
}

FunctionCompiler::FunctionCompiler(const Module& module, const Function& function)
    : module_(module), function_(function) {
  out_.source = &function;
  out_.places.emplace_back();
}

absl::StatusOr<CompiledFunction> FunctionCompiler::Compile() {
  for (const irate::Variable& variable : function_.variables()) {
    out_.variables.push_back(NewCells(Lanes(variable.lanes())));
  }
  out_.variable_cells = out_.cells;
  CompilePrologue();
  out_.body = Here();
  CompileList(function_.body());
  Emit({.code = Code::kReturn, .a = kNoRegister});
  if (!status_.ok()) return status_;
  return std::move(out_);
}

// The layouts of parameter buffers, in the order of the parameters: BufferInfo i belongs to the
// i-th buffer parameter.
void FunctionCompiler::CompilePrologue() {
  for (const Param& param : function_.params()) {
    if (param.kind() == PARAM_SCALAR) {
      if (param.id() >= out_.variables.size()) Fail("a parameter of an unknown id");
      continue;
    }
    if (KnowsBuffer(param.id())) DeclareBuffer(param.id());
  }
}

Instr& FunctionCompiler::Emit(Instr instr) {
  out_.code.push_back(instr);
  out_.place.push_back(place_);
  return out_.code.back();
}

void FunctionCompiler::EmitTrap(Trap trap, std::string text) {
  out_.texts.push_back(std::move(text));
  Emit({.code = Code::kTrap,
        .aux = static_cast<uint16_t>(trap),
        .c = static_cast<uint32_t>(out_.texts.size() - 1)});
}

uint32_t FunctionCompiler::NewCells(uint32_t count) {
  if (out_.cells + uint64_t{count} > kMaxCells) {
    Fail("too many or too wide values for the interpreter");
    return 0;
  }
  const uint32_t first = out_.cells;
  out_.cells += count;
  return first;
}

Reg FunctionCompiler::NewReg(ScalarType type, uint32_t lanes) {
  return {NewCells(lanes), type, lanes};
}

uint32_t FunctionCompiler::AddList(const std::vector<uint32_t>& items) {
  const auto first = static_cast<uint32_t>(out_.lists.size());
  out_.lists.insert(out_.lists.end(), items.begin(), items.end());
  return first;
}

void FunctionCompiler::Fail(std::string what) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(
      fmt::format("function {} is malformed: {}", function_.name(), what));
}

Reg FunctionCompiler::Nothing(const Expr& expr) { return NewReg(expr.type(), Lanes(expr.lanes())); }

Reg FunctionCompiler::Variable(uint32_t id) {
  if (id >= out_.variables.size()) {
    Fail("a variable of an unknown id");
    return NewReg(I32, 1);
  }
  const irate::Variable& variable = function_.variables(static_cast<int>(id));
  return {out_.variables[id], variable.type(), Lanes(variable.lanes())};
}

bool FunctionCompiler::KnowsBuffer(uint32_t id) {
  if (id < static_cast<uint32_t>(function_.buffers_size())) return true;
  Fail("a buffer of an unknown id");
  return false;
}

uint32_t FunctionCompiler::DeclareBuffer(uint32_t id) {
  const Buffer& buffer = function_.buffers(static_cast<int>(id));
  BufferInfo info;
  info.name = buffer.name();
  info.type = buffer.type();
  info.lanes = Lanes(buffer.lanes());
  info.scope = buffer.scope();
  if (buffer.strides_size() != 0 && buffer.strides_size() != buffer.shape_size()) {
    Fail(absl::StrCat("buffer ", buffer.name(), " has another number of strides than of extents"));
  }
  for (const Expr& extent : buffer.shape()) info.shape.push_back(CompileScalarInt(extent).index);
  for (const Expr& stride : buffer.strides()) {
    info.strides.push_back(CompileScalarInt(stride).index);
  }
  if (buffer.has_elem_offset()) info.elem_offset = CompileScalarInt(buffer.elem_offset()).index;
  out_.buffers.push_back(std::move(info));
  return static_cast<uint32_t>(out_.buffers.size() - 1);
}

}  // namespace irate::interp
