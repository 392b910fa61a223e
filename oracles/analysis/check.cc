#include "oracles/analysis/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "oracles/analysis/check_context.h"
#include "oracles/normalise.h"

namespace irate::analysis {
namespace {

bool HasTruncatedDivision(const Expr& expr) {
  return expr.op() == TRUNC_DIV || expr.op() == TRUNC_MOD ||
         std::ranges::any_of(expr.args(), HasTruncatedDivision);
}

bool Mentions(const Expr& expr, uint32_t id) {
  if (expr.op() == VAR && expr.id() == id) return true;
  return std::ranges::any_of(expr.args(), [id](const Expr& arg) { return Mentions(arg, id); });
}

uint32_t LanesOf(const Expr& expr) {
  uint32_t lanes = std::max(1u, expr.lanes());
  for (const Expr& arg : expr.args()) lanes = std::max(lanes, LanesOf(arg));
  return lanes;
}

uint32_t LanesOf(const AnalysisQuestion& question) {
  uint32_t lanes = 1;
  for (const AnalysisAsk& ask : question.asks()) {
    for (const Expr& expr : ask.exprs()) lanes = std::max(lanes, LanesOf(expr));
  }
  return lanes;
}

std::set<std::string> Names(const AnalysisQuestion& question) {
  std::set<std::string> names;
  for (const Variable& variable : question.variables()) names.insert(variable.name());
  return names;
}

// TVM's CompareResult (analyzer.h): a bit set of the outcomes that are possible.
constexpr int kInconsistent = 0;
constexpr int kEqual = 1;
constexpr int kLess = 2;
constexpr int kGreater = 4;

}  // namespace

AskCheck::AskCheck(const AnalysisQuestion& question, const AnalysisAsk& ask,
                   const AnalysisAnswer& answer, const AnalysisAnswers& answers,
                   const Points& points, Evaluator* evaluator, CheckStats* stats)
    : question_(question),
      ask_(ask),
      answer_(answer),
      answers_(answers),
      points_(points),
      evaluator_(*evaluator),
      stats_(*stats) {}

Mismatch AskCheck::At(size_t entry, std::string kind, std::string expectation) const {
  Mismatch mismatch;
  mismatch.kind = std::move(kind);
  const size_t point = entry / evaluator_.lanes();
  std::string place;
  for (size_t v = 0; v < points_.values.size(); ++v) {
    mismatch.point.push_back(points_.values[v][point]);
    if (question_.ranges(static_cast<int>(v)).local()) continue;
    place += fmt::format("{}{} = {}", place.empty() ? "" : ", ",
                         question_.variables(static_cast<int>(v)).name(), points_.values[v][point]);
  }
  if (evaluator_.lanes() > 1) place += fmt::format(", lane {}", entry % evaluator_.lanes());
  mismatch.detail = fmt::format("at {}: {}", place, expectation);
  return mismatch;
}

void AskCheck::Require(const Column& column, bool must_hold) {
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (column.states[i] != kOk || (must_hold && column.values[i] == 0)) judged_[i] = 0;
  }
}

bool AskCheck::EvaluateAsked() {
  judged_.assign(evaluator_.size(), 1);
  std::string unsupported;
  const auto evaluate = [&](const Expr& expr, bool must_hold, Column* column) {
    if (!evaluator_.Evaluate(expr, Evaluator::Reading::kQuestion, column, &unsupported)) {
      return false;
    }
    Require(*column, must_hold);
    return true;
  };
  Column condition;
  if (question_.has_constraint() &&
      !evaluate(question_.constraint(), !ask_.outside(), &condition)) {
    return false;
  }
  if (ask_.has_predicate() && !evaluate(ask_.predicate(), true, &condition)) return false;
  asked_.resize(static_cast<size_t>(ask_.exprs_size()));
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (!evaluate(ask_.exprs(static_cast<int>(i)), false, &asked_[i])) return false;
  }
  judged_count_ = static_cast<size_t>(std::ranges::count(judged_, uint8_t{1}));
  return judged_count_ != 0;
}

bool AskCheck::EvaluateAnswer() {
  answered_.resize(static_cast<size_t>(answer_.exprs_size()));
  for (size_t i = 0; i < answered_.size(); ++i) {
    const Expr& expr = answer_.exprs(static_cast<int>(i));
    if (expr.op() == STRING) continue;  // no expression in this place
    std::string unsupported;
    if (!evaluator_.Evaluate(expr, Evaluator::Reading::kAnswer, &answered_[i], &unsupported)) {
      ++stats_.unreadable;
      return false;
    }
  }
  return true;
}

std::optional<Mismatch> AskCheck::CheckError() {
  const Failure& failure = answer_.failure();
  // A map that is bijective onto every second element, say, has no inverse of this kind.
  if (failure.kind() != Failure::INTERNAL_ERROR || ask_.function() == ITER_MAP_INVERSE) {
    ++stats_.refused;
    return std::nullopt;
  }
  Mismatch mismatch;
  mismatch.kind = fmt::format("error: {}", NormaliseMessage(failure.message(), Names(question_)));
  mismatch.detail = fmt::format("{}: {}", failure.error_kind(), failure.message());
  return mismatch;
}

std::optional<Mismatch> AskCheck::CheckEqual() {
  const size_t count = std::min(asked_.size(), answered_.size());
  for (size_t e = 0; e < count; ++e) {
    const Expr& asked = ask_.exprs(static_cast<int>(e));
    const Expr& answered = answer_.exprs(static_cast<int>(e));
    if (asked.type() != answered.type() || asked.lanes() != answered.lanes()) {
      Mismatch mismatch;
      mismatch.kind = "type";
      mismatch.detail = fmt::format("{} became {}, of another type", Text(asked), Text(answered));
      return mismatch;
    }
    for (size_t i = 0; i < judged_.size(); ++i) {
      if (judged_[i] == 0 || answered_[e].states[i] == kOverflow) continue;
      if (answered_[e].states[i] == kUndefined) {
        return At(i, "undefined",
                  fmt::format("{} is {}, {} divides by zero", Text(asked), asked_[e].values[i],
                              Text(answered)));
      }
      if (asked_[e].values[i] != answered_[e].values[i]) {
        return At(i, "value",
                  fmt::format("{} is {}, {} is {}", Text(asked), asked_[e].values[i],
                              Text(answered), answered_[e].values[i]));
      }
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckConstBound() {
  const int64_t low = answer_.numbers(0);
  const int64_t high = answer_.numbers(1);
  for (size_t i = 0; i < judged_.size(); ++i) {
    const int64_t value = asked_[0].values[i];
    if (judged_[i] != 0 && (value < low || value > high)) {
      return At(i, "bound",
                fmt::format("{} is {}, not in [{}, {}]", Text(ask_.exprs(0)), value, low, high));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckModularSet() {
  const int64_t coefficient = answer_.numbers(0);
  const int64_t base = answer_.numbers(1);
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    int64_t rest = 0;
    if (__builtin_sub_overflow(asked_[0].values[i], base, &rest)) continue;
    if (coefficient == 0 || coefficient == -1 ? (coefficient == 0 && rest != 0)
                                              : rest % coefficient != 0) {
      return At(i, "value",
                fmt::format("{} is {}, not {} * n + {}", Text(ask_.exprs(0)), asked_[0].values[i],
                            coefficient, base));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckWithout(
    const Expr& expr, const google::protobuf::RepeatedField<uint32_t>& ids) {
  for (const uint32_t id : ids) {
    if (!Mentions(expr, id)) continue;
    Mismatch mismatch;
    mismatch.kind = "variable";
    mismatch.detail = fmt::format("the answer {} has the variable {}", Text(expr),
                                  question_.variables(static_cast<int>(id)).name());
    return mismatch;
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckIntSet() {
  // int_set.cc says of them that it assumes a dividend that is not negative.
  if (HasTruncatedDivision(ask_.exprs(0))) return std::nullopt;
  for (const Expr& expr : answer_.exprs()) {
    if (std::optional<Mismatch> mismatch = CheckWithout(expr, ask_.variables())) return mismatch;
  }
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    const int64_t value = asked_[0].values[i];
    if ((Usable(answered_[0], i) && value < answered_[0].values[i]) ||
        (Usable(answered_[1], i) && value > answered_[1].values[i])) {
      return At(i, "bound",
                fmt::format("{} is {}, not in [{}, {}]", Text(ask_.exprs(0)), value,
                            Text(answer_.exprs(0)), Text(answer_.exprs(1))));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckProof() {
  if (answer_.numbers(0) == 0) {
    ++stats_.nothing;
    return std::nullopt;
  }
  const bool equal = ask_.function() == CAN_PROVE_EQUAL;
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    if (equal && asked_[0].values[i] != asked_[1].values[i]) {
      return At(i, "value",
                fmt::format("{} is {}, {} is {}; proven equal", Text(ask_.exprs(0)),
                            asked_[0].values[i], Text(ask_.exprs(1)), asked_[1].values[i]));
    }
    if (!equal && asked_[0].values[i] == 0) {
      return At(i, "value", fmt::format("{} is false; proven true", Text(ask_.exprs(0))));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckComparison() {
  const auto possible = static_cast<int>(answer_.numbers(0));
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    const int64_t a = asked_[0].values[i];
    const int64_t b = asked_[1].values[i];
    const int outcome = a == b ? kEqual : a < b ? kLess : kGreater;
    if ((possible & outcome) != 0) continue;
    return At(i, possible == kInconsistent ? "inconsistent" : "value",
              fmt::format("{} is {}, {} is {}; compared as {}", Text(ask_.exprs(0)), a,
                          Text(ask_.exprs(1)), b, possible));
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckLinear() {
  for (const Expr& expr : answer_.exprs()) {
    if (std::optional<Mismatch> mismatch = CheckWithout(expr, ask_.variables())) return mismatch;
  }
  const auto count = static_cast<size_t>(ask_.variables_size());
  if (answered_.size() != count + 1) return std::nullopt;
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    int64_t sum = answered_[count].values[i];
    int state = answered_[count].states[i];
    for (size_t v = 0; v < count; ++v) {
      const uint32_t id = ask_.variables(static_cast<int>(v));
      int64_t product = 0;
      state = std::max<int>(state, answered_[v].states[i]);
      state =
          std::max<int>(state, ApplyOperator(MUL, answered_[v].values[i],
                                             points_.values[id][i / evaluator_.lanes()], &product));
      state = std::max<int>(state, ApplyOperator(ADD, sum, product, &sum));
    }
    if (state != kOk || sum == asked_[0].values[i]) continue;
    return At(i, "value",
              fmt::format("{} is {}, the linear form is {}", Text(ask_.exprs(0)),
                          asked_[0].values[i], sum));
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckClip() {
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    bool within = true;
    bool usable = true;
    for (size_t v = 0; v < static_cast<size_t>(ask_.variables_size()); ++v) {
      const uint32_t id = ask_.variables(static_cast<int>(v));
      const int64_t value = points_.values[id][i / evaluator_.lanes()];
      const Column& low = answered_[2 * v];
      const Column& high = answered_[2 * v + 1];
      if (!low.values.empty()) {
        usable &= Usable(low, i);
        within &= value >= low.values[i];
      }
      if (!high.values.empty()) {
        usable &= Usable(high, i);
        within &= value <= high.values[i];
      }
    }
    if (usable && within != (asked_[0].values[i] != 0)) {
      return At(i, "value",
                fmt::format("{} is {}, the bounds say {}", Text(ask_.exprs(0)),
                            asked_[0].values[i] != 0, within));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckDeduced() {
  for (const Expr& expr : answer_.exprs()) {
    if (std::optional<Mismatch> mismatch = CheckWithout(expr, ask_.variables())) return mismatch;
  }
  const std::vector<int64_t>& target = points_.values[ask_.variables(0)];
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0 || !Usable(answered_[0], i) || !Usable(answered_[1], i)) continue;
    const int64_t value = target[i / evaluator_.lanes()];
    if (value < answered_[0].values[i] || value > answered_[1].values[i]) continue;
    if (asked_[0].values[i] != 0) continue;
    return At(i, "value",
              fmt::format("{} is false, within the deduced [{}, {}]", Text(ask_.exprs(0)),
                          Text(answer_.exprs(0)), Text(answer_.exprs(1))));
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckInjective() {
  constexpr int kBijective = 0;
  if (ask_.function() != ITER_MAP_DETECT || ask_.option() != kBijective) return std::nullopt;
  std::set<std::vector<int64_t>> seen;
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    std::vector<int64_t> image;
    for (const Column& column : asked_) image.push_back(column.values[i]);
    if (points_.exhaustive && !seen.insert(image).second) {
      return At(i, "not injective",
                "the map is said to be bijective; another point has the same indices");
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckInverse() {
  for (size_t v = 0; v < answered_.size(); ++v) {
    if (answered_[v].values.empty()) continue;  // an iterator of one value
    for (size_t i = 0; i < judged_.size(); ++i) {
      if (judged_[i] == 0 || answered_[v].states[i] == kOverflow) continue;
      const int64_t value = points_.values[v][i / evaluator_.lanes()];
      if (Usable(answered_[v], i) && answered_[v].values[i] == value) continue;
      return At(i, "value",
                fmt::format("the inverse gives {} = {}, which is {}",
                            question_.variables(static_cast<int>(v)).name(),
                            Text(answer_.exprs(static_cast<int>(v))), answered_[v].values[i]));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::CheckSubspace() {
  google::protobuf::RepeatedField<uint32_t> outer;
  for (int v = 0; v < question_.variables_size(); ++v) {
    if (std::ranges::find(ask_.variables(), static_cast<uint32_t>(v)) == ask_.variables().end()) {
      outer.Add(static_cast<uint32_t>(v));
    }
  }
  for (size_t e = 0; e < asked_.size() && 3 * e + 2 < answered_.size(); ++e) {
    const auto index = static_cast<int>(3 * e);
    if (auto mismatch = CheckWithout(answer_.exprs(index), ask_.variables())) return mismatch;
    if (auto mismatch = CheckWithout(answer_.exprs(index + 1), outer)) return mismatch;
    std::optional<int64_t> constant;
    for (size_t i = 0; i < judged_.size(); ++i) {
      if (judged_[i] == 0) continue;
      int64_t product = 0;
      int64_t rest = 0;
      int state = std::max({answered_[3 * e].states[i], answered_[3 * e + 1].states[i],
                            answered_[3 * e + 2].states[i]});
      state = std::max<int>(state, ApplyOperator(MUL, answered_[3 * e].values[i],
                                                 answered_[3 * e + 2].values[i], &product));
      state = std::max<int>(state,
                            ApplyOperator(ADD, product, answered_[3 * e + 1].values[i], &product));
      state = std::max<int>(state, ApplyOperator(SUB, asked_[e].values[i], product, &rest));
      if (state != kOk) continue;
      if (!constant.has_value()) constant = rest;
      if (rest == *constant) continue;
      return At(i, "value",
                fmt::format("{} is {}, ({}) * {} + {} is {}, elsewhere they differ by {}",
                            Text(ask_.exprs(static_cast<int>(e))), asked_[e].values[i],
                            Text(answer_.exprs(index)), Text(answer_.exprs(index + 2)),
                            Text(answer_.exprs(index + 1)), product, *constant));
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> AskCheck::Check() {
  ++stats_.asks;
  if (!EvaluateAsked()) {
    ++stats_.not_defined;
    return std::nullopt;
  }
  switch (answer_.status()) {
    case AnalysisAnswer::FAILED:
      return CheckError();
    case AnalysisAnswer::NOTHING:
    case AnalysisAnswer::NOT_ASKED:
      ++stats_.nothing;
      return std::nullopt;
    case AnalysisAnswer::UNREADABLE:
      ++stats_.unreadable;
      return std::nullopt;
    case AnalysisAnswer::EMPTY_SET:
      if (ask_.function() == REGION_LOWER_BOUND) return std::nullopt;
      return At(static_cast<size_t>(std::ranges::find(judged_, uint8_t{1}) - judged_.begin()),
                "empty", fmt::format("{} has a value, the set is empty", Text(ask_.exprs(0))));
    default:
      break;
  }
  if (ask_.function() == ITER_MAP_INVERSE) {
    // The outputs of the map, which the inverse is in terms of.
    const auto first = static_cast<uint32_t>(question_.variables_size());
    for (int v = 0; v < answers_.variables_size(); ++v) {
      const std::string& name = answers_.variables(v).name();
      if (!name.starts_with("out")) continue;
      const auto index = static_cast<size_t>(std::stoi(name.substr(3)));
      if (index < asked_.size())
        evaluator_.SetVariable(first + static_cast<uint32_t>(v), asked_[index]);
    }
  }
  if (!EvaluateAnswer()) return std::nullopt;
  stats_.points += judged_count_;
  switch (ask_.function()) {
    case CONST_INT_BOUND:
      return CheckConstBound();
    case MODULAR_SET:
      return CheckModularSet();
    case INT_SET:
      return CheckIntSet();
    case CAN_PROVE:
    case CAN_PROVE_EQUAL:
      return CheckProof();
    case TRY_COMPARE:
      return CheckComparison();
    case LINEAR_EQUATION:
      return CheckLinear();
    case CLIP_BOUND:
      return CheckClip();
    case DEDUCE_BOUND:
      return CheckDeduced();
    case ITER_MAP_INVERSE:
      return CheckInverse();
    case SUBSPACE_DIVIDE:
      return CheckSubspace();
    case REGION_LOWER_BOUND:
    case REGION_STRICT_BOUND:
    case REGION_UPPER_BOUND:
      return CheckRegion();
    default: {
      std::optional<Mismatch> mismatch = CheckEqual();
      return mismatch.has_value() ? mismatch : CheckInjective();
    }
  }
}

std::vector<Mismatch> CheckAnswers(const AnalysisQuestion& question, const AnalysisAnswers& answers,
                                   CheckStats* stats) {
  CheckStats unused;
  if (stats == nullptr) stats = &unused;
  const Points points = MakePoints(question, kMaxPoints);
  google::protobuf::RepeatedPtrField<Variable> variables = question.variables();
  variables.MergeFrom(answers.variables());
  Evaluator evaluator(points, variables, LanesOf(question));
  std::vector<Mismatch> mismatches;
  for (int i = 0; i < std::min(question.asks_size(), answers.answers_size()); ++i) {
    AskCheck check(question, question.asks(i), answers.answers(i), answers, points, &evaluator,
                   stats);
    std::optional<Mismatch> mismatch = check.Check();
    if (!mismatch.has_value()) continue;
    mismatch->ask = i;
    mismatches.push_back(*std::move(mismatch));
  }
  return mismatches;
}

}  // namespace irate::analysis
