#include "generators/reduce.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "generators/condition.h"
#include "generators/loop_nest.h"
#include "generators/loop_scope.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

class Builder {
 public:
  Builder(Context& context, const Reduction& reduction)
      : context_(context), reduction_(reduction), output_(*reduction.output) {
    for (const Extent& extent : reduction.reduced) {
      reduced_axes_.push_back({extent, true});
      trips_ *= std::max<int64_t>(extent.size, 1);
    }
    limit_ = TermLimit(reduction.combiner, output_.type, trips_);
  }

  std::vector<Stmt> Build() {
    const bool locals = context_.Allows(kLocalScalar) &&
                        (context_.Percent(context_.structured() ? 4 : 25) || reduction_.epilogue);
    if (locals) return LocalAccumulator();
    const int with_init = context_.structured() ? 500 : 40;
    switch (context_.Pick({30, context_.AllowsAll({kBlock, kBlockInit}) ? with_init : 0, 25})) {
      case 1:
        if (!reduction_.keep_initial) return BlockWithInit();
        return OneNest();
      case 2:
        return InnerLoop();
      default:
        return OneNest();
    }
  }

 private:
  Term Neutral() {
    const ScalarType type = output_.type;
    switch (reduction_.combiner) {
      case Combiner::kSum:
        return Constant(type, 0);
      case Combiner::kProduct:
        return Constant(type, 1);
      default:
        break;
    }
    const bool is_min = reduction_.combiner == Combiner::kMin;
    if (!is_min && IsUnsigned(type)) return Constant(type, 0);
    const int64_t extreme = IsInteger(type) && type != U64 && context_.Percent(30)
                                ? (is_min ? MaxValue(type) : -MaxValue(type))
                                : (is_min ? limit_.magnitude : -limit_.magnitude);
    return Constant(type, extreme);
  }

  Term Combined(Term self, Term term) {
    if (context_.Percent(25)) std::swap(self, term);
    switch (reduction_.combiner) {
      case Combiner::kSum:
        return Apply(ADD, std::move(self), std::move(term));
      case Combiner::kProduct:
        return Apply(MUL, std::move(self), std::move(term));
      case Combiner::kMin:
        return Apply(MIN, std::move(self), std::move(term));
      case Combiner::kMax:
        break;
    }
    return Apply(MAX, std::move(self), std::move(term));
  }

  // What the accumulator may hold at any time.
  Interval AccumulatorRange(const Interval& start, const Interval& term) const {
    const int64_t most = TypeLimit(output_.type).magnitude;
    switch (reduction_.combiner) {
      case Combiner::kSum: {
        const int64_t size = MagnitudeOfSum(start.magnitude, trips_, term.magnitude);
        return Interval::Bounds(start.lo >= 0 && term.lo >= 0 ? 0 : -size, size);
      }
      case Combiner::kProduct:
        return Interval::Bounds(IsUnsigned(output_.type) ? 0 : -most, most);
      default:
        return Join(start, term);
    }
  }

  Stmt Initialise(const Element& element) {
    Term neutral = Neutral();
    start_ = neutral.range;
    context_.WidenContents(element.buffer, neutral.range);
    return build::Store(element.buffer->id, std::move(neutral.expr), element.indices);
  }

  std::vector<Stmt> Update(const Element& accumulator, const std::vector<Expr>& spatial,
                           const std::vector<Expr>& reduced) {
    Expr condition;
    const bool conditional = MayIf(context_) && context_.Percent(10);
    if (conditional) condition = GenerateCondition(context_, 1);
    Term term = reduction_.term(spatial, reduced, limit_);
    const Interval range = AccumulatorRange(start_, term.range);
    Term next = Combined(LoadElement(context_, accumulator), std::move(term));
    std::vector<Stmt> body;
    body.push_back(build::Store(accumulator.buffer->id, std::move(next.expr), accumulator.indices));
    context_.WidenContents(accumulator.buffer, range);
    if (conditional) {
      Stmt guarded = build::If(std::move(condition), std::move(body));
      body.clear();
      body.push_back(std::move(guarded));
    }
    return body;
  }

  Element OutputElement(const std::vector<Expr>& indices) {
    Element element;
    element.buffer = &output_;
    element.indices = indices;
    element.initialised = true;
    return element;
  }

  std::vector<Axis> AllAxes() const {
    std::vector<Axis> axes = SpatialAxes(output_.shape);
    axes.insert(axes.end(), reduced_axes_.begin(), reduced_axes_.end());
    return axes;
  }

  // The nest's indices: those of the output, those of the reduced axes.
  std::pair<std::vector<Expr>, std::vector<Expr>> Parts(const LoopNest& nest) const {
    const auto middle = nest.indices().begin() + static_cast<std::ptrdiff_t>(output_.shape.size());
    return {{nest.indices().begin(), middle}, {middle, nest.indices().end()}};
  }

  std::vector<Stmt> BlockWithInit() {
    NestOptions options;
    options.block_init = true;
    options.force_block = true;
    LoopNest nest(context_, AllAxes(), options);
    const auto [spatial, reduced] = Parts(nest);
    const Element element = OutputElement(spatial);
    std::vector<Stmt> init;
    init.push_back(Initialise(element));
    std::vector<Stmt> body = Update(element, spatial, reduced);
    return nest.Close(std::move(body), std::move(init));
  }

  // All elements are initialised in one nest and updated in another, in any order of axes.
  std::vector<Stmt> OneNest() {
    std::vector<Stmt> stmts;
    start_ = output_.contents;
    if (!reduction_.keep_initial) {
      LoopNest nest(context_, SpatialAxes(output_.shape), {});
      std::vector<Stmt> body;
      body.push_back(Initialise(OutputElement(nest.indices())));
      stmts = nest.Close(std::move(body));
    }
    LoopNest nest(context_, AllAxes(), {});
    const auto [spatial, reduced] = Parts(nest);
    std::vector<Stmt> body = Update(OutputElement(spatial), spatial, reduced);
    AppendTo(&stmts, nest.Close(std::move(body)));
    return stmts;
  }

  std::vector<Stmt> InnerLoop() {
    NestOptions options;
    options.body_has_loops = true;
    start_ = output_.contents;
    LoopNest outer(context_, SpatialAxes(output_.shape), options);
    const Element element = OutputElement(outer.indices());
    std::vector<Stmt> body;
    if (!reduction_.keep_initial) body.push_back(Initialise(element));
    AppendTo(&body, ReducingLoops(element, outer.indices()));
    return outer.Close(std::move(body));
  }

  std::vector<Stmt> ReducingLoops(const Element& accumulator, const std::vector<Expr>& spatial) {
    NestOptions options;
    options.may_block = false;
    LoopNest inner(context_, reduced_axes_, options);
    return inner.Close(Update(accumulator, spatial, inner.indices()));
  }

  std::vector<Stmt> LocalAccumulator() {
    NestOptions options;
    options.body_has_loops = true;
    options.for_locals = true;
    LoopNest outer(context_, SpatialAxes(output_.shape), options);
    LocalBuffer local = MakeLocal(context_, output_.type, 1);
    Element accumulator;
    accumulator.buffer = &local.info;
    accumulator.indices = {context_.IndexConst(0)};
    std::vector<Stmt> body;
    body.push_back(std::move(local.allocation));
    body.push_back(Initialise(accumulator));
    AppendTo(&body, ReducingLoops(accumulator, outer.indices()));
    Term result = LoadElement(context_, accumulator);
    if (reduction_.epilogue) result = reduction_.epilogue(std::move(result));
    const Element element = OutputElement(outer.indices());
    if (reduction_.keep_initial) {
      const Limit rest = {TypeLimit(output_.type).magnitude - result.range.magnitude};
      Term self = LoadElement(context_, element);
      if (Fits(self.range, output_.type, rest) && output_.type != BOOL) {
        result = Apply(ADD, std::move(self), std::move(result));
      }
    }
    context_.WidenContents(&output_, result.range);
    body.push_back(build::Store(output_.id, std::move(result.expr), element.indices));
    return outer.Close(std::move(body));
  }

  Context& context_;
  const Reduction& reduction_;
  BufferInfo& output_;
  std::vector<Axis> reduced_axes_;
  int64_t trips_ = 1;
  Limit limit_;
  Interval start_;
};

}  // namespace

Limit TermLimit(Combiner combiner, ScalarType type, int64_t trips) {
  const int64_t most = TypeLimit(type).magnitude;
  switch (combiner) {
    case Combiner::kSum:
      return {most / (trips + 1)};
    case Combiner::kProduct: {
      // Each factor may double the magnitude besides multiplying it.
      for (int64_t factor = 4; factor >= 1; --factor) {
        int64_t product = 1;
        for (int64_t i = 0; i < trips && product <= most; ++i) product *= 2 * factor;
        if (product <= most) return {factor};
      }
      return {0};
    }
    default:
      return {most};
  }
}

Combiner DrawCombiner(Context& context, ScalarType type, int64_t trips) {
  const auto fits = [&](Combiner combiner) {
    return TermLimit(combiner, type, trips).magnitude >= 1;
  };
  const int minmax = context.Allows(kMinMax) ? 15 : 0;
  switch (context.Pick(
      {fits(Combiner::kSum) ? 50 : 0, fits(Combiner::kProduct) ? 15 : 0, minmax, minmax})) {
    case 1:
      return Combiner::kProduct;
    case 2:
      return Combiner::kMin;
    case 3:
      return Combiner::kMax;
    default:
      return Combiner::kSum;
  }
}

std::vector<Stmt> GenerateReduction(Context& context, const Reduction& reduction) {
  return Builder(context, reduction).Build();
}

}  // namespace irate
