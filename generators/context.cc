#include "generators/context.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "generators/feature_scan.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

// Innermost iterations of one nest, so that interpreting a Case stays cheap.
constexpr int64_t kUsualTrips = 400;

// Every element type but i32, the likelier first.
constexpr auto kOtherTypes = std::to_array<ScalarType>(
    {F32, I64, BOOL, I8, I16, U8, U16, U32, U64, F16, BF16, F64, F8E4M3FN, F8E5M2});

constexpr int kTypeI32Weight = 35;

FeatureSet DrawFeatures(ChoiceSource& choices, const GenerateOptions& options,
                        std::span<const Feature> needs) {
  FeatureSet allowed;
  if (choices.Chance(1, 2)) {
    allowed.set();
  } else {
    for (size_t base = 0; base < kFeatureCount; base += 32) {
      const int64_t word = choices.Range(0, (int64_t{1} << 32) - 1);
      for (size_t bit = 0; bit < 32 && base + bit < kFeatureCount; ++bit) {
        allowed.set(base + bit, ((word >> bit) & 1) != 0);
      }
    }
  }
  for (Feature feature : needs) Include(allowed, feature);
  for (const std::string& name : options.disabled_features) {
    const std::optional<Feature> feature = FindFeature(name);
    if (feature) allowed.reset(static_cast<size_t>(*feature));
  }
  return allowed;
}

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

Context::Context(ChoiceSource& choices, const GenerateOptions& options, Feature family,
                 std::span<const Feature> needs)
    : choices_(choices), allowed_(DrawFeatures(choices, options, needs)), family_(family) {
  case_.set_version(1);
  Function* function = case_.mutable_module()->add_functions();
  function->set_name("main");
  index_type_ = Draw(Feature::kLoopI64) ? I64 : I32;
  symbolic_ = Draw(Feature::kShapeSymbolic);
  real_floats_ = Draw(Feature::kFloatReal);
  node_budget = static_cast<int>(Int(20, 90));
}

bool Context::AllowsAll(std::initializer_list<Feature> features) const {
  return std::all_of(features.begin(), features.end(), [this](Feature f) { return Allows(f); });
}

int Context::Weight(Feature feature) const { return Allows(feature) ? Info(feature).weight : 0; }

bool Context::Draw(Feature feature) {
  return Allows(feature) && choices_.Chance(Info(feature).weight, 100);
}

size_t Context::Pick(std::initializer_list<int> weights) {
  const bool any = std::any_of(weights.begin(), weights.end(), [](int w) { return w > 0; });
  return any ? choices_.Weighted(std::span<const int>(weights.begin(), weights.size())) : 0;
}

size_t Context::Pick(const absl::InlinedVector<int, 24>& weights) {
  const bool any = std::any_of(weights.begin(), weights.end(), [](int w) { return w > 0; });
  return any ? choices_.Weighted(std::span<const int>(weights.data(), weights.size())) : 0;
}

int64_t Context::Edge(int64_t lo, int64_t hi) {
  if (Percent(40)) return Int(lo, hi);
  constexpr std::array<int64_t, 17> kEdges = {0, 1,  -1, 2,  3,  -2, 4,  7, 8,
                                              9, 15, 16, 17, 31, 32, -3, -8};
  const int64_t pick = Int(0, static_cast<int64_t>(kEdges.size()) + 3);
  int64_t value = lo;
  if (pick < static_cast<int64_t>(kEdges.size())) {
    value = kEdges[static_cast<size_t>(pick)];
  } else if (pick & 1) {
    value = hi;
  }
  return std::clamp(value, lo, hi);
}

int64_t Context::DrawSize(int64_t max) {
  const int64_t least = Allows(Feature::kLoopOneExtent) ? 1 : 2;
  if (max <= least) return least;
  if (least == 1 && Percent(Info(Feature::kLoopOneExtent).weight)) return 1;
  constexpr std::array<int64_t, 12> kEdges = {4, 2, 3, 7, 8, 5, 16, 17, 6, 9, 31, 32};
  if (Percent(30)) return Int(2, std::min<int64_t>(max, 17));
  const int64_t size = kEdges[static_cast<size_t>(Int(0, kEdges.size() - 1))];
  return std::clamp<int64_t>(size, 2, max);
}

Expr Context::IndexConst(int64_t value) const { return build::Int(index_type_, value); }

uint32_t Context::NewVariable(std::string_view prefix, ScalarType type) {
  return build::AddVariable(&function(), fmt::format("{}{}", prefix, function().variables_size()),
                            type);
}

Expr Context::VariableExpr(uint32_t variable) { return build::Var(function(), variable); }

Term Context::VariableTerm(uint32_t variable) {
  Term result;
  result.expr = VariableExpr(variable);
  result.range = ranges_.Of(result.expr);
  return result;
}

Extent Context::ConstantExtent(int64_t size) const { return {IndexConst(size), size}; }

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

ScalarType Context::DrawType() {
  absl::InlinedVector<int, 24> weights = {kTypeI32Weight};
  for (ScalarType type : kOtherTypes) weights.push_back(Weight(*ElementTypeFeature(type)));
  const size_t picked = Pick(weights);
  return picked == 0 ? I32 : kOtherTypes[picked - 1];
}

ScalarType Context::DrawElementType() {
  absl::InlinedVector<int, 24> weights = {1};
  for (ScalarType type : kOtherTypes) weights.push_back(AllowsType(type) ? 1 : 0);
  const size_t picked = Pick(weights);
  return picked == 0 ? I32 : kOtherTypes[picked - 1];
}

void Context::UseStorableIndices() {
  if (!AllowsType(index_type_)) index_type_ = I32;
}

bool Context::AllowsType(ScalarType type) const {
  const std::optional<Feature> feature = ElementTypeFeature(type);
  return !feature || Allows(*feature);
}

bool Context::AllowsOp(Op op) const {
  const std::optional<Feature> feature = OperatorFeature(op);
  return !feature || Allows(*feature);
}

bool Context::AllowsCast(ScalarType to, ScalarType from) const {
  const std::optional<Feature> feature = CastFeature(to, from);
  return to == from || !feature || Allows(*feature);
}

Interval Context::DrawContents(ScalarType type) {
  if (type == BOOL) return Interval::Bounds(0, 1);
  const int64_t most = std::max<int64_t>(TypeLimit(type).magnitude / 8, 1);
  int64_t magnitude = 0;
  switch (Pick({60, 12, 12, 10, 6})) {
    case 0:
      magnitude = 8;
      break;
    case 1:
      magnitude = 1;
      break;
    case 2:
      magnitude = 3;
      break;
    case 3:
      magnitude = 100;
      break;
    default:
      magnitude = Int(1, 1'000'000);
      break;
  }
  magnitude = std::min(magnitude, most);
  const bool positive = IsUnsigned(type) || Percent(20);
  return Interval::Bounds(positive ? 0 : -magnitude, magnitude);
}

bool Context::InLoop(LoopKind kind) const {
  return std::any_of(enclosing.begin(), enclosing.end(),
                     [kind](const Enclosing& e) { return !e.is_if && e.kind == kind; });
}

bool Context::InAnyLoop() const {
  return std::any_of(enclosing.begin(), enclosing.end(),
                     [](const Enclosing& e) { return !e.is_if; });
}

bool Context::InIf() const {
  return std::any_of(enclosing.begin(), enclosing.end(),
                     [](const Enclosing& e) { return e.is_if; });
}

bool Context::AllowsHere(Feature feature, Feature in_parallel, Feature in_vectorized,
                         Feature in_unrolled) const {
  return Allows(feature) && (Allows(in_parallel) || !InLoop(PARALLEL)) &&
         (Allows(in_vectorized) || !InLoop(VECTORIZED)) &&
         (Allows(in_unrolled) || !InLoop(UNROLLED));
}

int64_t Context::EnclosingTrips() const {
  int64_t trips = 1;
  for (const Enclosing& e : enclosing) {
    if (!e.is_if) trips *= std::max<int64_t>(e.trips, 1);
  }
  return trips;
}

int64_t Context::TripBudget() const { return std::max<int64_t>(kUsualTrips / EnclosingTrips(), 1); }

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
  case_.mutable_inputs()->set_seed(static_cast<uint64_t>(Int(0, (int64_t{1} << 32) - 1)));
  FeatureSet found = ScanFeatures(case_);
  Include(found, family_);
  for (std::string& name : FeatureNames(found)) case_.add_features(std::move(name));
  case_.set_generator(std::string(Info(family_).name.substr(std::string_view("family.").size())));
  return std::move(case_);
}

}  // namespace irate
