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

// Programs made of blocks for a schedule, in percent of those that may have blocks.
constexpr int kStructured = 65;

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
  schedules_ = options.schedules;
  structured_ = AllowsAll({Feature::kBlock, Feature::kBlockAlloc, Feature::kSchedule}) &&
                Percent(kStructured);
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

ScalarType Context::DrawType() {
  absl::InlinedVector<int, 24> weights = {kTypeI32Weight};
  for (ScalarType type : kOtherTypes) {
    const std::optional<Feature> feature = ElementTypeFeature(type);
    weights.push_back(feature ? Weight(*feature) : 0);
  }
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

}  // namespace irate
