#include "triage/analysis/judge.h"

#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "oracles/normalise.h"
#include "oracles/oracle.h"

namespace irate::analysis {
namespace {

class Skeleton {
 public:
  std::string Of(const Expr& expr) {
    if (expr.op() == CONST) return expr.int_value() < 0 ? "n" : expr.int_value() == 0 ? "0" : "c";
    if (expr.op() == VAR) return Name(expr.id());
    std::vector<std::string> args;
    for (const Expr& arg : expr.args()) args.push_back(Of(arg));
    return fmt::format("{}({})", absl::AsciiStrToLower(std::string(OpName(expr.op()))),
                       absl::StrJoin(args, " "));
  }

 private:
  // "x", "y", "z", ... in order of first use.
  std::string Name(uint32_t id) {
    const auto [entry, is_new] = names_.try_emplace(id, names_.size());
    constexpr int kLetters = 26;
    constexpr int kX = 'x' - 'a';
    return std::string(1,
                       static_cast<char>('a' + (kX + static_cast<int>(entry->second)) % kLetters));
  }

  std::map<uint32_t, size_t> names_;
};

Wrong FromFailure(const AnalysisQuestion& question, const Failure& failure) {
  Wrong wrong;
  wrong.ask = question.asks_size() == 1 ? 0 : -1;
  wrong.function = failure.pass();
  wrong.detail = failure.message();
  if (!failure.frames().empty()) {
    wrong.detail += fmt::format("\nin {}", absl::StrJoin(failure.frames(), "\n   "));
  }
  switch (failure.kind()) {
    case Failure::HANG:
      wrong.kind = "hang";
      break;
    case Failure::OUT_OF_MEMORY:
      wrong.kind = "out of memory";
      break;
    case Failure::SIGNAL:
      wrong.kind =
          fmt::format("{} {}", SignalName(failure.signal()), TopFrames(failure.frames(), 1));
      break;
    default:
      wrong.kind = fmt::format("death: {}", NormaliseMessage(failure.message(), {}));
      break;
  }
  return wrong;
}

}  // namespace

std::string FunctionName(AnalysisFunction function) {
  static const auto& names = *new std::map<AnalysisFunction, std::string>{
      {REWRITE_SIMPLIFY, "sym.AnalyzerRewriteSimplify"},
      {CANONICAL_SIMPLIFY, "sym.AnalyzerCanonicalSimplify"},
      {SIMPLIFY, "sym.AnalyzerSimplify"},
      {CONST_INT_BOUND, "sym.AnalyzerConstIntBound"},
      {MODULAR_SET, "sym.AnalyzerModularSet"},
      {INT_SET, "sym.AnalyzerIntSet"},
      {CAN_PROVE, "sym.AnalyzerCanProve"},
      {CAN_PROVE_EQUAL, "sym.AnalyzerCanProveEqual"},
      {TRY_COMPARE, "sym.AnalyzerTryCompare"},
      {LINEAR_EQUATION, "sym.DetectLinearEquation"},
      {CLIP_BOUND, "sym.DetectClipBound"},
      {DEDUCE_BOUND, "sym.DeduceBound"},
      {ITER_MAP_DETECT, "sym.DetectIterMap"},
      {ITER_MAP_SIMPLIFY, "sym.IterMapSimplify"},
      {ITER_SUM, "sym.NormalizeToIterSum"},
      {ITER_MAP_INVERSE, "sym.InverseAffineIterMap"},
      {SUBSPACE_DIVIDE, "sym.SubspaceDivide"},
      {REGION_LOWER_BOUND, "sym.EstimateRegionLowerBound"},
      {REGION_STRICT_BOUND, "sym.EstimateRegionStrictBound"},
      {REGION_UPPER_BOUND, "sym.EstimateRegionUpperBound"},
  };
  const auto found = names.find(function);
  return found == names.end() ? "sym" : found->second;
}

std::vector<Wrong> Judge(const AnalysisQuestion& question, const Asked& asked, CheckStats* stats) {
  if (asked.failure.kind() == Failure::HARNESS) return {};
  if (asked.failure.kind() != Failure::NONE) return {FromFailure(question, asked.failure)};
  std::vector<Wrong> result;
  for (Mismatch& mismatch : CheckAnswers(question, asked.answers, stats)) {
    Wrong wrong;
    wrong.ask = mismatch.ask;
    wrong.function = FunctionName(question.asks(mismatch.ask).function());
    wrong.kind = std::move(mismatch.kind);
    wrong.detail = std::move(mismatch.detail);
    wrong.point = std::move(mismatch.point);
    // An error while the constraint was entered or left has its own place.
    const Failure& failure = asked.answers.answers(mismatch.ask).failure();
    if (!failure.pass().empty()) wrong.function = failure.pass();
    result.push_back(std::move(wrong));
  }
  for (int i = 0; i < asked.answers.answers_size(); ++i) {
    const double ms = asked.answers.answers(i).compiler_us() / 1000;
    if (ms < kSlowMilliseconds) continue;
    Wrong wrong;
    wrong.ask = i;
    wrong.function = FunctionName(question.asks(i).function());
    wrong.kind = "slow";
    wrong.detail = fmt::format("it takes {:.0f} ms", ms);
    result.push_back(std::move(wrong));
  }
  return result;
}

Finding MakeFinding(const AnalysisQuestion& question, const Wrong& wrong) {
  Finding finding;
  finding.set_oracle("analyzer");
  finding.set_target("tvm");
  // One check that fails is one cause, whichever function was on the way to it.
  finding.set_culprit(wrong.kind.starts_with("error") ? "sym" : wrong.function);
  finding.set_step(-1);
  std::string shape = wrong.kind;
  Skeleton skeleton;
  std::string text;
  if (wrong.ask >= 0 && wrong.ask < question.asks_size()) {
    const AnalysisAsk& ask = question.asks(wrong.ask);
    std::vector<std::string> forms;
    for (const Expr& expr : ask.exprs()) forms.push_back(skeleton.Of(expr));
    if (ask.has_predicate()) forms.push_back(fmt::format("where {}", skeleton.Of(ask.predicate())));
    if (question.has_constraint()) {
      forms.push_back(fmt::format("if {}", skeleton.Of(question.constraint())));
    }
    if (!wrong.kind.starts_with("error") && !wrong.kind.starts_with("SIG")) {
      shape += fmt::format(" {}", absl::StrJoin(forms, ", "));
    }
    std::vector<std::string> texts;
    for (const Expr& expr : ask.exprs()) texts.push_back(ToText(expr, question));
    text = absl::StrJoin(texts, ", ");
  }
  finding.set_shape(shape);
  finding.set_summary(fmt::format("{} of {}: {}", wrong.function, text,
                                  wrong.kind.substr(0, wrong.kind.find('\n'))));
  finding.set_detail(wrong.detail);
  finding.set_signature(MakeSignature(finding));
  return finding;
}

}  // namespace irate::analysis
