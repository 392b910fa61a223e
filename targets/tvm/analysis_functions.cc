#include <utility>

#include "ir/builder.h"
#include "targets/tvm/analysis.h"
#include "targets/tvm/analysis_question.h"
#include "targets/tvm/literals.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {

const char* AnalysisFunctionName(AnalysisFunction function) {
  switch (function) {
    case REWRITE_SIMPLIFY:
      return "sym.AnalyzerRewriteSimplify";
    case CANONICAL_SIMPLIFY:
      return "sym.AnalyzerCanonicalSimplify";
    case SIMPLIFY:
      return "sym.AnalyzerSimplify";
    case CONST_INT_BOUND:
      return "sym.AnalyzerConstIntBound";
    case MODULAR_SET:
      return "sym.AnalyzerModularSet";
    case INT_SET:
      return "sym.AnalyzerIntSet";
    case CAN_PROVE:
      return "sym.AnalyzerCanProve";
    case CAN_PROVE_EQUAL:
      return "sym.AnalyzerCanProveEqual";
    case TRY_COMPARE:
      return "sym.AnalyzerTryCompare";
    case LINEAR_EQUATION:
      return "sym.DetectLinearEquation";
    case CLIP_BOUND:
      return "sym.DetectClipBound";
    case DEDUCE_BOUND:
      return "sym.DeduceBound";
    case ITER_MAP_DETECT:
      return "sym.DetectIterMap";
    case ITER_MAP_SIMPLIFY:
      return "sym.IterMapSimplify";
    case ITER_SUM:
      return "sym.NormalizeToIterSum";
    case ITER_MAP_INVERSE:
      return "sym.InverseAffineIterMap";
    case SUBSPACE_DIVIDE:
      return "sym.SubspaceDivide";
    case REGION_LOWER_BOUND:
      return "sym.EstimateRegionLowerBound";
    case REGION_STRICT_BOUND:
      return "sym.EstimateRegionStrictBound";
    case REGION_UPPER_BOUND:
      return "sym.EstimateRegionUpperBound";
    default:
      return "sym";
  }
}

namespace {

Function FunctionOf(const AnalysisQuestion& question) {
  Function function;
  *function.mutable_variables() = question.variables();
  return function;
}

}  // namespace

NativeQuestion::NativeQuestion(const AnalysisQuestion& question)
    : question_(question),
      function_(FunctionOf(question)),
      lowering_(function_, globals_),
      lift_(&lifted_) {}

void NativeQuestion::Prepare() {
  // The analyser of a question knows nothing of another one.
  analyzer_ = Native<"sym.Analyzer">();
  for (int i = 0; i < question_.variables_size(); ++i) {
    const auto id = static_cast<uint32_t>(i);
    *lifted_.add_variables() = question_.variables(i);
    lift_.NameVariable(ObjectOf(Variable(id)), id);
    if (question_.ranges(i).bound()) {
      Native<"sym.AnalyzerBind">(analyzer_, Variable(id), RangeOf(id), false);
    }
  }
  if (question_.extensions() != 0) {
    Native<"sym.AnalyzerSetEnabledExtensions">(analyzer_, static_cast<int>(question_.extensions()));
  }
}

void NativeQuestion::Enter() {
  if (!question_.has_constraint()) return;
  leave_ = Native<"sym.AnalyzerEnterConstraintContext">(analyzer_, Lower(question_.constraint()));
}

void NativeQuestion::Leave() {
  if (leave_ == nullptr) return;
  std::exchange(leave_, Any()).cast<ffi::Function>()();
}

AnyArray NativeQuestion::Variables(const AnalysisAsk& ask) {
  AnyArray result;
  for (const uint32_t id : ask.variables()) result.push_back(Variable(id));
  return result;
}

AnyArray NativeQuestion::Exprs(const AnalysisAsk& ask) {
  AnyArray result;
  for (const Expr& expr : ask.exprs()) result.push_back(Lower(expr));
  return result;
}

Any NativeQuestion::Predicate(const AnalysisAsk& ask) {
  return ask.has_predicate() ? Lower(ask.predicate()) : IntImm(BOOL, 1);
}

Any NativeQuestion::RangeOf(uint32_t id) {
  const VariableRange& range = question_.ranges(static_cast<int>(id));
  const ScalarType type = question_.variables(static_cast<int>(id)).type();
  return Native<"ir.Range_from_min_extent">(IntImm(type, range.min()), IntImm(type, range.extent()),
                                            nullptr);
}

Any NativeQuestion::SetOf(uint32_t id) {
  const VariableRange& range = question_.ranges(static_cast<int>(id));
  const ScalarType type = question_.variables(static_cast<int>(id)).type();
  return Native<"sym.intset_interval">(IntImm(type, range.min()),
                                       IntImm(type, range.min() + range.extent() - 1));
}

ffi::Map<Any, Any> NativeQuestion::Ranges() {
  ffi::Map<Any, Any> result;
  for (int i = 0; i < question_.variables_size(); ++i) {
    const auto id = static_cast<uint32_t>(i);
    if (question_.ranges(i).bound()) result.Set(Variable(id), RangeOf(id));
  }
  return result;
}

void NativeQuestion::AddExpr(const Any& expr, AnalysisAnswer* answer) {
  const Object* node = ObjectOf(expr);
  if (!lift_.LiftValue(node, answer->add_exprs())) {
    answer->set_status(AnalysisAnswer::UNREADABLE);
    answer->set_construct(lift_.construct());
  }
}

void NativeQuestion::AddSet(const Any& set, AnalysisAnswer* answer) {
  AddExpr(Native<"sym.IntervalSetGetMin">(set), answer);
  AddExpr(Native<"sym.IntervalSetGetMax">(set), answer);
}

void NativeQuestion::Ask(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  answer->set_status(AnalysisAnswer::ANSWERED);
  const auto expr = [&](int i) { return Lower(ask.exprs(i)); };
  switch (ask.function()) {
    case REWRITE_SIMPLIFY:
      return AddExpr(Native<"sym.AnalyzerRewriteSimplify">(analyzer_, expr(0)), answer);
    case CANONICAL_SIMPLIFY:
      return AddExpr(Native<"sym.AnalyzerCanonicalSimplify">(analyzer_, expr(0)), answer);
    case SIMPLIFY:
      return AddExpr(Native<"sym.AnalyzerSimplify">(analyzer_, expr(0), ask.option()), answer);
    case CONST_INT_BOUND: {
      const Any bound = Native<"sym.AnalyzerConstIntBound">(analyzer_, expr(0));
      answer->add_numbers(Plain<int64_t, "sym.ConstIntBound", "min_value">(ObjectOf(bound)));
      answer->add_numbers(Plain<int64_t, "sym.ConstIntBound", "max_value">(ObjectOf(bound)));
      return;
    }
    case MODULAR_SET: {
      const Any set = Native<"sym.AnalyzerModularSet">(analyzer_, expr(0));
      answer->add_numbers(Plain<int64_t, "sym.ModularSet", "coeff">(ObjectOf(set)));
      answer->add_numbers(Plain<int64_t, "sym.ModularSet", "base">(ObjectOf(set)));
      return;
    }
    case INT_SET: {
      ffi::Map<Any, Any> domains;
      for (const uint32_t id : ask.variables()) domains.Set(Variable(id), SetOf(id));
      const Any set = Native<"sym.AnalyzerIntSet">(analyzer_, expr(0), domains);
      if (Native<"sym.IntSetIsNothing">(set).cast<bool>()) {
        answer->set_status(AnalysisAnswer::EMPTY_SET);
        return;
      }
      return AddSet(set, answer);
    }
    case CAN_PROVE:
      return answer->add_numbers(
          Native<"sym.AnalyzerCanProve">(analyzer_, expr(0), ask.option()).cast<bool>());
    case CAN_PROVE_EQUAL:
      return answer->add_numbers(
          Native<"sym.AnalyzerCanProveEqual">(analyzer_, expr(0), expr(1)).cast<bool>());
    case TRY_COMPARE:
      return answer->add_numbers(
          Native<"sym.AnalyzerTryCompare">(analyzer_, expr(0), expr(1), ask.option() != 0)
              .cast<int64_t>());
    case LINEAR_EQUATION: {
      const Any found = Native<"sym.DetectLinearEquation">(expr(0), Variables(ask));
      for (const Any& entry : Elements(ObjectOf(found))) AddExpr(entry, answer);
      if (answer->exprs().empty()) answer->set_status(AnalysisAnswer::NOTHING);
      return;
    }
    case CLIP_BOUND: {
      const Any found = Native<"sym.DetectClipBound">(expr(0), Variables(ask));
      for (const Any& entry : Elements(ObjectOf(found))) {
        // An end that is not bounded is a null expression.
        if (ObjectOf(entry) == nullptr) {
          *answer->add_exprs() = build::String("");
        } else {
          AddExpr(entry, answer);
        }
      }
      if (answer->exprs().empty()) answer->set_status(AnalysisAnswer::NOTHING);
      return;
    }
    case DEDUCE_BOUND:
      return AskBoundDeduction(ask, answer);
    case ITER_SUM:
      return AddExpr(Native<"sym.NormalizeIterMapToExpr">(
                         Native<"sym.NormalizeToIterSum">(expr(0), Ranges(), analyzer_)),
                     answer);
    case ITER_MAP_DETECT:
    case ITER_MAP_SIMPLIFY:
      return AskIterMap(ask, answer);
    case ITER_MAP_INVERSE:
      return AskInverse(ask, answer);
    case SUBSPACE_DIVIDE:
      return AskSubspace(ask, answer);
    case REGION_LOWER_BOUND:
    case REGION_STRICT_BOUND:
    case REGION_UPPER_BOUND:
      return AskRegion(ask, answer);
    default:
      answer->set_status(AnalysisAnswer::NOT_ASKED);
  }
}

void NativeQuestion::AskBoundDeduction(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  ffi::Map<Any, Any> hints;
  ffi::Map<Any, Any> relaxed;
  for (int i = 0; i < question_.variables_size(); ++i) {
    const auto id = static_cast<uint32_t>(i);
    if (question_.ranges(i).bound() && id != ask.variables(0)) hints.Set(Variable(id), SetOf(id));
  }
  for (int i = 1; i < ask.variables_size(); ++i) {
    relaxed.Set(Variable(ask.variables(i)), SetOf(ask.variables(i)));
  }
  const Any set =
      Native<"sym.DeduceBound">(Variable(ask.variables(0)), Lower(ask.exprs(0)), hints, relaxed);
  if (Native<"sym.IntSetIsNothing">(set).cast<bool>()) {
    answer->set_status(AnalysisAnswer::NOTHING);
    return;
  }
  AddSet(set, answer);
}

void NativeQuestion::AskIterMap(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  if (ask.function() == ITER_MAP_SIMPLIFY) {
    const Any found = Native<"sym.IterMapSimplify">(Exprs(ask), Ranges(), Predicate(ask),
                                                    ask.option(), true, analyzer_);
    for (const Any& entry : Elements(ObjectOf(found))) AddExpr(entry, answer);
  } else {
    const Any found = Native<"sym.DetectIterMap">(Exprs(ask), Ranges(), Predicate(ask),
                                                  ask.option(), true, analyzer_);
    for (const Any& entry : Elements(Ref<"sym.IterMapResult", "indices">(ObjectOf(found)))) {
      AddExpr(Native<"sym.NormalizeIterMapToExpr">(entry), answer);
    }
  }
  if (answer->exprs().empty()) answer->set_status(AnalysisAnswer::NOTHING);
}

void NativeQuestion::AskInverse(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  constexpr int kBijective = 0;
  const Any found = Native<"sym.DetectIterMap">(Exprs(ask), Ranges(), IntImm(BOOL, 1), kBijective,
                                                true, analyzer_);
  const Any indices = Get<"sym.IterMapResult", "indices">(ObjectOf(found));
  if (Elements(ObjectOf(indices)).size() == 0) {
    answer->set_status(AnalysisAnswer::NOTHING);
    return;
  }
  AnyArray outputs;
  for (int i = 0; i < ask.exprs_size(); ++i) {
    const Any output = Native<"ir.Var">(ffi::String("out" + std::to_string(i)),
                                        PrimType(ask.exprs(i).type(), 0), nullptr);
    const auto id = static_cast<uint32_t>(lifted_.variables_size());
    irate::Variable* variable = lifted_.add_variables();
    variable->set_name("out" + std::to_string(i));
    variable->set_type(ask.exprs(i).type());
    lift_.NameVariable(ObjectOf(output), id);
    outputs.push_back(output);
  }
  const auto inverse =
      Native<"sym.InverseAffineIterMap">(indices, outputs).cast<ffi::Map<Any, Any>>();
  for (int i = 0; i < question_.variables_size(); ++i) {
    const Any variable = Variable(static_cast<uint32_t>(i));
    const auto entry = inverse.find(variable);
    if (entry == inverse.end()) {
      *answer->add_exprs() = build::String("");
    } else {
      AddExpr((*entry).second, answer);
    }
  }
}

void NativeQuestion::AskSubspace(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  const Any found = Native<"sym.SubspaceDivide">(Exprs(ask), Ranges(), Variables(ask),
                                                 Predicate(ask), ask.option(), true, analyzer_);
  const Elements rows(ObjectOf(found));
  if (rows.size() == 0) {
    answer->set_status(AnalysisAnswer::NOTHING);
    return;
  }
  for (int i = 0; i < ask.exprs_size(); ++i) {
    for (const Any& entry : Elements(ObjectOf(*(rows.begin() + i)))) {
      AddExpr(Native<"sym.NormalizeIterMapToExpr">(Get<"sym.IterMark", "source">(ObjectOf(entry))),
              answer);
    }
    const Elements row(ObjectOf(*(rows.begin() + i)));
    AddExpr(Get<"sym.IterMark", "extent">(ObjectOf(*(row.begin() + 1))), answer);
  }
}

void NativeQuestion::AskRegion(const AnalysisAsk& ask, AnalysisAnswer* answer) {
  AnyArray region;
  for (int i = 0; i + 1 < ask.exprs_size(); i += 2) {
    region.push_back(
        Native<"ir.Range_from_min_extent">(Lower(ask.exprs(i)), Lower(ask.exprs(i + 1)), nullptr));
  }
  const ffi::Function& function =
      ask.function() == REGION_LOWER_BOUND    ? Registered<"sym.EstimateRegionLowerBound">()
      : ask.function() == REGION_STRICT_BOUND ? Registered<"sym.EstimateRegionStrictBound">()
                                              : Registered<"sym.EstimateRegionUpperBound">();
  const Any found = function(region, Ranges(), Predicate(ask), analyzer_);
  const Object* sets = ObjectOf(found);
  if (sets == nullptr) {
    answer->set_status(AnalysisAnswer::NOTHING);
    return;
  }
  for (const Any& set : Elements(sets)) {
    if (Native<"sym.IntSetIsNothing">(set).cast<bool>()) {
      answer->set_status(AnalysisAnswer::EMPTY_SET);
      return;
    }
    AddSet(set, answer);
  }
}

void NativeQuestion::AddNewVariables(AnalysisAnswers* answers) const {
  for (int i = question_.variables_size(); i < lifted_.variables_size(); ++i) {
    *answers->add_variables() = lifted_.variables(i);
  }
}

}  // namespace irate::tvm_target
