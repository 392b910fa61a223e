// Each rule, on generated Cases: it finds places, keeps programs valid, and the interpreter finds
// no difference. A rule that is wrong is caught by the same comparison.
#include "generators/equivalent/rewrite.h"

#include <map>
#include <set>

#include "generators/equivalent/equivalent.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

constexpr uint64_t kSeed = 31;
constexpr InterpretOptions kAsResult = {.mode = InterpretOptions::Mode::kPassResult};

struct Defined {
  Case test_case;
  Interpretation reference;
};

const std::vector<Defined>& DefinedCases() {
  static const auto& cases = *[] {
    auto* result = new std::vector<Defined>;
    for (uint64_t i = 0; i < 250; ++i) {
      Case one = GenerateCase(CaseSeed(kSeed, i));
      auto reference = Interpret(one.module(), one.inputs());
      if (reference.ok() && reference->status() == Interpretation::DEFINED) {
        result->push_back({std::move(one), *std::move(reference)});
      }
    }
    return result;
  }();
  return cases;
}

// Empty if the program still does what it did.
std::string Disagreement(const Defined& original, const Module& module) {
  const auto result = Interpret(module, original.test_case.inputs(), kAsResult);
  if (!result.ok()) return result.status().ToString();
  if (result->status() == Interpretation::OUT_OF_FUEL) return "";
  if (result->status() != Interpretation::DEFINED) {
    return result->reason() + " at " + result->place();
  }
  const auto difference = Compare(original.reference, *result);
  return difference.has_value() ? difference->ToString() : "";
}

TEST(RewritesTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto& rewrite : Rewrites()) {
    EXPECT_TRUE(names.insert(rewrite->Name()).second) << rewrite->Name();
    EXPECT_EQ(FindRewrite(rewrite->Name()), rewrite.get());
  }
  EXPECT_GE(names.size(), 20u);
  EXPECT_EQ(FindRewrite("no-such-rule"), nullptr);
}

class EachRule : public testing::TestWithParam<std::string> {};

TEST_P(EachRule, KeepsGeneratedCasesValidAndTheirMeaning) {
  const Rewrite* rewrite = FindRewrite(GetParam());
  ASSERT_NE(rewrite, nullptr);
  int applied = 0;
  for (size_t i = 0; i < DefinedCases().size() && applied < 150; ++i) {
    const Defined& original = DefinedCases()[i];
    const int sites = rewrite->CountSites(original.test_case.module());
    for (int k = 0; k < std::min(sites, 3); ++k) {
      const int site =
          static_cast<int>((i * 7 + static_cast<size_t>(k) * 5) % static_cast<size_t>(sites));
      const RewriteStep step = {GetParam(), site, i};
      Case rewritten = original.test_case;
      ASSERT_TRUE(ApplyStep(step, rewritten.mutable_module()).ok());
      SCOPED_TRACE("Case " + std::to_string(i) + ", " + FormatStep(step) + "\n" +
                   PrintModule(original.test_case.module()) + PrintModule(rewritten.module()));
      EXPECT_TRUE(rewritten.module().SerializeAsString() !=
                  original.test_case.module().SerializeAsString());
      ASSERT_TRUE(VerifyCase(rewritten).ok()) << VerifyCase(rewritten);
      ASSERT_EQ(Disagreement(original, rewritten.module()), "");
      ++applied;
    }
  }
  EXPECT_GT(applied, 0) << "no generated Case has a place for this rule";
  RecordProperty("applied", applied);
}

std::vector<std::string> RuleNames() {
  std::vector<std::string> names;
  for (const auto& rewrite : Rewrites()) names.emplace_back(rewrite->Name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EachRule, testing::ValuesIn(RuleNames()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(RewriteCaseTest, SequencesKeepTheMeaningAndReplay) {
  for (size_t i = 0; i < DefinedCases().size(); ++i) {
    const Defined& original = DefinedCases()[i];
    std::vector<RewriteStep> steps;
    const Case rewritten = RewriteCase(original.test_case, i, 8, &steps);
    std::string trace = PrintCase(original.test_case);
    Module replayed = original.test_case.module();
    for (const RewriteStep& step : steps) {
      trace += FormatStep(step) + "\n";
      const auto parsed = ParseStep(FormatStep(step));
      ASSERT_TRUE(parsed.ok());
      ASSERT_TRUE(ApplyStep(*parsed, &replayed).ok());
    }
    SCOPED_TRACE(trace);
    EXPECT_EQ(replayed.SerializeAsString(), rewritten.module().SerializeAsString());
    ASSERT_TRUE(VerifyCase(rewritten).ok()) << VerifyCase(rewritten);
    ASSERT_EQ(Disagreement(original, rewritten.module()), "");
  }
}

TEST(RewriteCaseTest, BadStepsAreErrors) {
  Module module = DefinedCases()[0].test_case.module();
  EXPECT_EQ(ApplyStep({"no-such-rule", 0, 0}, &module).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ApplyStep({"rename", 100, 0}, &module).code(), absl::StatusCode::kOutOfRange);
  for (const std::string bad : {"", "rename", "rename@1", "rename#1@2", "rename@x#1"}) {
    EXPECT_EQ(ParseStep(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

// Rules that look right and are not.
class CommuteSubtraction : public ExprRewrite {
 public:
  std::string_view Name() const override { return "wrong: a - b is b - a"; }

 protected:
  bool IsApplicable(const Expr& expr) const override { return expr.op() == SUB; }
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    expr->mutable_args()->SwapElements(0, 1);
  }
};

class DropLastIteration : public StmtRewrite {
 public:
  std::string_view Name() const override { return "wrong: the last iteration is lost"; }

 protected:
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return stmt.kind() == FOR && stmt.args(1).op() == CONST && stmt.args(1).int_value() > 1;
  }
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Expr* extent = list->Mutable(index)->mutable_args(1);
    extent->set_int_value(extent->int_value() - 1);
  }
};

template <typename Wrong>
std::pair<int, int> CaughtOfApplied() {
  const Wrong wrong;
  int applied = 0;
  int caught = 0;
  for (const Defined& original : DefinedCases()) {
    Module module = original.test_case.module();
    if (wrong.CountSites(module) == 0) continue;
    ChoiceSource choices(1);
    wrong.ApplyAt(&module, 0, choices);
    ++applied;
    caught += Disagreement(original, module).empty() ? 0 : 1;
  }
  return {caught, applied};
}

TEST(PlantedRuleTest, AWrongExpressionIsCaught) {
  const auto [caught, applied] = CaughtOfApplied<CommuteSubtraction>();
  EXPECT_GT(applied, 10);
  EXPECT_GT(caught, applied / 2);
}

TEST(PlantedRuleTest, AWrongLoopIsCaught) {
  const auto [caught, applied] = CaughtOfApplied<DropLastIteration>();
  EXPECT_GT(applied, 100);
  EXPECT_GT(caught, applied / 2);
}

}  // namespace
}  // namespace irate
