#include "triage/edits.h"

#include <array>
#include <bit>
#include <cmath>

#include "ir/measure.h"
#include "ir/types.h"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate {
namespace {

using namespace edits;  // NOLINT: the list below is what they are for

constexpr auto kKinds = std::to_array<EditKind>({
    {"drop run of passes", 1, DropPassRun},
    {"drop pass", 1, DropPass},
    {"drop steps of the schedule", 2, DropScheduleSteps},
    {"drop option of the pass context", 1, DropConfig},
    {"drop target option", 1, DropTargetOption, true},
    {"drop function", 1, DropFunction},
    {"drop statement", 1, OnStmt<DropStmtAt>},
    {"unwrap statement", 2, OnStmt<UnwrapAt>},
    {"drop parameter", 1, DropParam},
    {"expression to constant", 2, OnExpr<ToConstant>},
    {"expression to operand", 3, OnExpr<ToOperand>},
    {"load to index", 2, OnExpr<LoadToIndex>},
    {"inline binding", 1, OnStmt<InlineBindAt>},
    {"make loop serial", 1, OnStmt<MakeSerialAt>},
    {"drop extras of statement", 6, OnStmt<DropStmtExtrasAt>},
    {"drop iterator of a block", 6, OnStmt<DropBlockIterAt>},
    {"drop memory of a block", 5, OnStmt<DropBlockMemoryAt>},
    {"make buffer compact", 2, MakeBufferCompact},
    {"drop function attribute", 1, DropFunctionAttr},
    {"fix dimension", 1, FixDimension},
    {"make a type common", 2, Retype},
    {"drop dimension", 1, DropDimension},
    {"shrink equal constants", 4, ShrinkEqualConstants},
    {"shrink loop", 3, OnStmt<ShrinkLoopAt>},
    {"shrink dimension", 3, ShrinkDimension},
    {"shrink constant", 4, OnExpr<ShrinkConstant>},
    {"shrink value of dimension", 3, ShrinkDimValue},
    {"shrink number of the schedule", 2, ShrinkScheduleNumber},
    {"simplify input", 6, SimplifyInput},
    {"simplify seed", 3, SimplifySeed},
});

bool IsCommonType(ScalarType type) {
  return type == I32 || type == F32 || type == BOOL || type == VOID || type == HANDLE;
}

// f32 is next to the most common: an integer is simpler to read.
int64_t WeightOf(ScalarType type) { return IsCommonType(type) ? (type == F32 ? 1 : 0) : 20; }

int64_t WeightOf(const Expr& expr) {
  const int64_t type = WeightOf(expr.type());
  switch (expr.op()) {
    case CONST:
      if (IsFloat(expr.type())) return type + FloatWeight(expr.float_value());
      return type + std::bit_width(static_cast<uint64_t>(std::abs(expr.int_value())));
    case VAR:
    case LOAD:
      return type + 80;
    default:
      return type;
  }
}

int64_t WeightOf(const Inputs& inputs) {
  int64_t weight = std::bit_width(inputs.seed());
  for (const ParamInput& input : inputs.params()) {
    weight += std::bit_width(static_cast<uint64_t>(std::abs(input.min()))) +
              std::bit_width(static_cast<uint64_t>(input.max() - input.min())) +
              (input.real() ? 50 : 0);
  }
  for (const DimValue& dim : inputs.dims()) {
    weight += std::bit_width(static_cast<uint64_t>(std::abs(dim.value())));
  }
  return weight;
}

}  // namespace

std::span<const EditKind> EditKinds() { return kKinds; }

int64_t Weight(const Case& test_case) {
  int64_t weight = 1'000 * MeasureCase(test_case).nodes + WeightOf(test_case.inputs());
  for (const ScheduleStep& step : test_case.schedule().steps()) {
    for (const Expr& arg : step.args()) weight += WeightOf(arg);
  }
  for (const TargetSpec& spec : test_case.targets()) {
    weight += static_cast<int64_t>(spec.options().size());
  }
  for (const Function& function : test_case.module().functions()) {
    for (const Buffer& buffer : function.buffers()) weight += WeightOf(buffer.type());
    for (const Variable& variable : function.variables()) weight += WeightOf(variable.type());
    VisitExprs(function, [&](const Expr& expr) { weight += WeightOf(expr); });
    VisitStmts(function, [&](const Stmt& stmt) {
      if (stmt.kind() == FOR && stmt.loop_kind() != SERIAL) weight += 100;
      // As much as the statements that they become where the block is unwrapped.
      if (stmt.has_block()) weight += 1'000 * stmt.block().alloc_buffers_size();
    });
  }
  return weight;
}

}  // namespace irate
