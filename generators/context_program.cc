// The part of Context that builds the function: dimensions, buffers, parameters, the finished Case.
#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "generators/context.h"
#include "generators/feature_scan.h"
#include "generators/schedule.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

bool UsesPlainly(const Function& function, uint32_t dimension) {
  for (const Param& param : function.params()) {
    if (param.kind() == PARAM_SCALAR && param.id() == dimension) return true;
    if (param.kind() != PARAM_BUFFER) continue;
    for (const Expr& extent : function.buffers(static_cast<int>(param.id())).shape()) {
      if (extent.op() == VAR && extent.id() == dimension) return true;
    }
  }
  return false;
}

}  // namespace

void Context::AddDimension(int64_t size) {
  const uint32_t variable = NewVariable("n", index_type_);
  ranges_.DefineInterval(variable, Interval::Point(size));
  DimValue* dim = case_.mutable_inputs()->add_dims();
  dim->set_variable(variable);
  dim->set_value(size);
  dimensions_.push_back({VariableExpr(variable), size});
}

Extent Context::DrawExtent(int64_t max) {
  if (!symbolic_ || Percent(40)) return ConstantExtent(DrawSize(max));
  for (const Extent& dimension : dimensions_) {
    if (dimension.size <= max && Percent(50)) return dimension;
  }
  if (dimensions_.size() >= 3) return ConstantExtent(DrawSize(max));
  AddDimension(DrawSize(max));
  return dimensions_.back();
}

Extent Context::LoopExtent(const Extent& extent) {
  if (extent.expr.op() == CONST || Draw(Feature::kLoopSymbolic)) return extent;
  return ConstantExtent(extent.size);
}

BufferInfo Context::AddLocal(std::string_view prefix, ScalarType type, std::vector<Extent> shape) {
  std::vector<Expr> extents;
  extents.reserve(shape.size());
  for (const Extent& extent : shape) extents.push_back(extent.expr);
  BufferInfo info;
  info.id = build::AddBuffer(&function(), fmt::format("{}{}", prefix, function().buffers_size()),
                             type, std::move(extents));
  info.type = type;
  info.shape = std::move(shape);
  return info;
}

// n becomes n + 1, 2 * n, ...: every index below n stays in bounds. Only where another parameter
// defines n already.
void Context::Enlarge(Extent* extent) {
  if (extent->expr.op() != VAR || !UsesPlainly(function(), extent->expr.id())) return;
  if (!Draw(Feature::kShapeSymbolicExpr)) return;
  const bool doubles = Percent(40);
  const int64_t amount = doubles ? 2 : Int(1, 3);
  extent->expr = build::Binary(doubles ? MUL : ADD, std::move(extent->expr), IndexConst(amount));
  extent->size = doubles ? extent->size * 2 : extent->size + amount;
}

// Strides with gaps or in another order, and an offset.
void Context::SpreadOut(const BufferInfo& info) {
  Buffer* buffer = function().mutable_buffers(static_cast<int>(info.id));
  const bool constant = std::all_of(info.shape.begin(), info.shape.end(),
                                    [](const Extent& e) { return e.expr.op() == CONST; });
  if (constant && Draw(Feature::kShapeStrided)) {
    std::vector<int64_t> strides(info.shape.size());
    const bool column_major = info.shape.size() > 1 && Percent(30);
    const int64_t gap = Int(0, 2);
    int64_t stride = column_major ? 1 : Int(1, 2);
    for (size_t i = 0; i < strides.size(); ++i) {
      const size_t d = column_major ? i : strides.size() - 1 - i;
      strides[d] = stride;
      stride *= info.shape[d].size + gap;
    }
    for (int64_t value : strides) *buffer->add_strides() = IndexConst(value);
  }
  if (Draw(Feature::kShapeOffset)) *buffer->mutable_elem_offset() = IndexConst(Edge(1, 16));
}

BufferInfo Context::AddParam(std::string_view prefix, ScalarType type, std::vector<Extent> shape,
                             const Interval& contents, bool may_spread) {
  const std::vector<Extent> asked = shape;
  if (may_spread) {
    for (Extent& extent : shape) Enlarge(&extent);
  }
  BufferInfo info = AddLocal(prefix, type, std::move(shape));
  info.contents = contents;
  if (may_spread) SpreadOut(info);
  info.shape = asked;
  build::AddBufferParam(&function(), info.id);
  ParamInput* input = case_.mutable_inputs()->add_params();
  input->set_param(static_cast<uint32_t>(function().params_size() - 1));
  input->set_min(contents.lo);
  input->set_max(contents.hi);
  input->set_real(real_floats_ && IsFloat(type));
  ranges_.SetContents(info.id, contents);
  return info;
}

void Context::AddScalarParam() {
  const ScalarType type = Percent(70) ? index_type_ : DrawType();
  const uint32_t variable = NewVariable("s", type);
  const Interval contents = type == BOOL ? Interval::Bounds(0, 1) : DrawContents(type);
  ranges_.DefineInterval(variable, contents);
  build::AddScalarParam(&function(), variable);
  ParamInput* input = case_.mutable_inputs()->add_params();
  input->set_param(static_cast<uint32_t>(function().params_size() - 1));
  input->set_min(contents.lo);
  input->set_max(contents.hi);
  input->set_real(real_floats_ && IsFloat(type));
  values.push_back(VariableTerm(variable));
}

void Context::WidenContents(BufferInfo* buffer, const Interval& range) {
  buffer->contents = Join(buffer->contents, range);
  buffer->written = true;
  ranges_.SetContents(buffer->id, buffer->contents);
}

Case Context::Finish() {
  for (const Extent& dimension : dimensions_) {
    const uint32_t variable = dimension.expr.id();
    if (UsesPlainly(function(), variable)) continue;
    // Nothing that the caller passes would define it: it becomes a parameter of its own.
    if (Allows(Feature::kParamScalar)) {
      build::AddScalarParam(&function(), variable);
      ParamInput* input = case_.mutable_inputs()->add_params();
      input->set_param(static_cast<uint32_t>(function().params_size() - 1));
      input->set_min(dimension.size);
      input->set_max(dimension.size);
      auto* dims = case_.mutable_inputs()->mutable_dims();
      dims->erase(std::remove_if(dims->begin(), dims->end(),
                                 [&](const DimValue& d) { return d.variable() == variable; }),
                  dims->end());
    } else {
      AddParam("D", I32, {dimension}, Interval::Bounds(0, 1));
    }
  }
  if (Draw(Feature::kFunctionNoalias)) {
    Attribute* attribute = function().add_attrs();
    attribute->set_key("noalias");
    *attribute->mutable_value() = build::BoolConst(true);
  }
  if (structured_ && Draw(Feature::kSchedule)) {
    Schedule schedule = DrawSchedule(choices_, case_, allowed_);
    if (schedules_ && schedule.steps_size() != 0) *case_.mutable_schedule() = std::move(schedule);
  }
  case_.mutable_inputs()->set_seed(static_cast<uint64_t>(Int(0, (int64_t{1} << 32) - 1)));
  FeatureSet found = ScanFeatures(case_);
  Include(found, family_);
  for (std::string& name : FeatureNames(found)) case_.add_features(std::move(name));
  case_.set_generator(std::string(Info(family_).name.substr(std::string_view("family.").size())));
  return std::move(case_);
}

}  // namespace irate
