// The state of one generation: choices, switched features, the function under construction, and
// what is visible and known at the place where the next node goes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "generators/choice.h"
#include "generators/features.h"
#include "generators/generator.h"
#include "generators/ranges.h"
#include "generators/term.h"
#include "ir/irate.pb.h"

namespace irate {

// One extent, of a loop, an axis or a buffer: `expr` in the index type, `size` its value on this
// Case's inputs. All proofs use the values that Inputs gives the dimensions.
struct Extent {
  Expr expr;
  int64_t size = 1;
};

struct BufferInfo {
  uint32_t id = 0;
  ScalarType type = I32;
  // What may be indexed; the buffer itself may be larger.
  std::vector<Extent> shape;
  // Every value that an element ever has.
  Interval contents;
  // Something was stored, so the values are not those that the inputs were drawn as.
  bool written = false;
};

class Context {
 public:
  // Draws which features this Case may use: all in half of the Cases, else a random half, because
  // Cases in which everything occurs hide what needs few things to occur together.
  // The family's own needs are on in any case.
  Context(ChoiceSource& choices, const GenerateOptions& options, Feature family,
          std::span<const Feature> needs = {});

  // ---- Choices.
  bool Allows(Feature feature) const { return Has(allowed_, feature); }
  bool AllowsAll(std::initializer_list<Feature> features) const;
  // The weight in the table, 0 if switched off.
  int Weight(Feature feature) const;
  bool Draw(Feature feature);
  bool Percent(int percent) { return choices_.Chance(percent, 100); }
  int64_t Int(int64_t lo, int64_t hi) { return choices_.Range(lo, hi); }
  // Index into the weights; the first one also if none is positive.
  size_t Pick(std::initializer_list<int> weights);
  size_t Pick(const absl::InlinedVector<int, 24>& weights);
  // In [lo, hi], edges favoured: the ends, 0, 1, -1, powers of two and their neighbours.
  int64_t Edge(int64_t lo, int64_t hi);
  // An extent of an axis: 1 (if allowed) to `max`, edges favoured.
  int64_t DrawSize(int64_t max);

  // ---- The function.
  Case& test_case() { return case_; }
  Function& function() { return *case_.mutable_module()->mutable_functions(0); }
  RangeAnalysis& ranges() { return ranges_; }
  ScalarType index_type() const { return index_type_; }
  // Float inputs are drawn from the reals. Otherwise every float is a whole number and exact.
  bool real_floats() const { return real_floats_; }
  void UseRealFloats() { real_floats_ = Allows(Feature::kFloatReal); }
  // The program is to consist of blocks, in plain loops for the most part: one that a schedule can
  // be applied to.
  bool structured() const { return structured_; }
  // Before anything else: 32-bit indices where no buffer may hold 64-bit ones.
  void UseStorableIndices();
  // The program is none that the schedules drawn here are for.
  void WithoutSchedule() { structured_ = false; }
  Expr IndexConst(int64_t value) const;
  uint32_t NewVariable(std::string_view prefix, ScalarType type);
  Expr VariableExpr(uint32_t variable);
  Term VariableTerm(uint32_t variable);

  // An extent for axes and shapes: constant, or a dimension variable (shared between uses).
  Extent DrawExtent(int64_t max);
  Extent ConstantExtent(int64_t size) const;
  // As a loop's extent: the constant value where symbolic loops are off.
  Extent LoopExtent(const Extent& extent);

  // Adds a parameter; its elements start in `contents`.
  // Where `may_spread`, it may be larger than asked for, with unusual strides and offset; the
  // result has the shape that was asked for.
  BufferInfo AddParam(std::string_view prefix, ScalarType type, std::vector<Extent> shape,
                      const Interval& contents, bool may_spread = true);
  // Adds a buffer that a statement or block has to allocate.
  BufferInfo AddLocal(std::string_view prefix, ScalarType type, std::vector<Extent> shape);
  // A scalar parameter, visible as a value everywhere.
  void AddScalarParam();
  // More elements of `buffer` may hold `range` from now on.
  void WidenContents(BufferInfo* buffer, const Interval& range);
  bool MayAddParam() const { return function().params_size() < max_params_; }
  const Function& function() const { return case_.module().functions(0); }

  // An element type by weight; `f32` and `i32` are the common ones.
  ScalarType DrawType();
  // The same with every type that is switched on equally likely.
  ScalarType DrawElementType();
  bool AllowsType(ScalarType type) const;
  bool AllowsOp(Op op) const;
  bool AllowsCast(ScalarType to, ScalarType from) const;
  // The range of an input's elements.
  Interval DrawContents(ScalarType type);

  // ---- What is visible here. Families push and pop.
  std::vector<uint32_t> axis_variables;  // integer variables for indices
  std::vector<Term> values;              // to be used as data
  std::vector<BufferInfo> readable;      // any element of these may be loaded
  struct Enclosing {
    LoopKind kind;
    int64_t trips;
    bool is_if = false;
  };
  std::vector<Enclosing> enclosing;

  bool InLoop(LoopKind kind) const;
  bool InAnyLoop() const;
  bool InIf() const;
  // `feature` and its placement switches under the loops around.
  bool AllowsHere(Feature feature, Feature in_parallel, Feature in_vectorized,
                  Feature in_unrolled) const;
  int64_t EnclosingTrips() const;
  // Trips that loops added here may still multiply by.
  int64_t TripBudget() const;

  // How much likelier than usual values go through binds, lets and local buffers.
  int local_bias = 1;
  // The same for calls of math intrinsics.
  int math_bias = 1;

  // Nodes that expressions may still use; generators go to leaves when it is spent.
  int node_budget = 0;

  Case Finish();

 private:
  void AddDimension(int64_t size);
  void Enlarge(Extent* extent);
  void SpreadOut(const BufferInfo& info);

  ChoiceSource& choices_;
  FeatureSet allowed_;
  Feature family_;
  Case case_;
  RangeAnalysis ranges_;
  ScalarType index_type_ = I32;
  int max_params_ = 7;
  std::vector<Extent> dimensions_;
  bool symbolic_ = false;
  bool real_floats_ = false;
  bool structured_ = false;
  bool schedules_ = true;
};

}  // namespace irate
