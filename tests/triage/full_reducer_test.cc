#include "triage/full_reducer.h"

#include <random>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "tests/triage/programs.h"
#include "tests/triage/temporary_folder.h"
#include "triage/edits.h"
#include "triage/reduce_finding.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;
using ::irate::testing::TemporaryFolder;

bool HasFloorDiv(const Case& test_case) {
  bool found = false;
  for (const Function& function : test_case.module().functions()) {
    VisitExprs(function, [&](const Expr& expr) { found |= expr.op() == FLOOR_DIV; });
  }
  return found;
}

absl::StatusOr<FullReduceResult> Reduce(const Case& test_case,
                                        std::function<absl::StatusOr<bool>(const Case&)> keeps,
                                        const FullReduceOptions& options = {}) {
  return FullReduce(test_case, MakeCaseTester(std::move(keeps)).get(), options);
}

// As several workers would: answers for all that it is given.
class Wide : public CaseTester {
 public:
  explicit Wide(size_t width) : width_(width) {}
  size_t width() const override { return width_; }
  absl::StatusOr<std::vector<std::optional<bool>>> Ask(std::span<const Case> candidates) override {
    std::vector<std::optional<bool>> answers;
    for (const Case& candidate : candidates) answers.emplace_back(HasFloorDiv(candidate));
    return answers;
  }

 private:
  size_t width_;
};

// A Case with something of all that can be reduced.
Case FullCase() {
  Case test_case = RichCase();
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    test_case.mutable_passes()->add_steps()->set_name(name);
  }
  for (const char* name : {"x", "y"}) {
    Attribute* option = test_case.mutable_passes()->add_config();
    option->set_key(name);
    option->mutable_value()->set_op(CONST);
    option->mutable_value()->set_type(I32);
    option->mutable_value()->set_int_value(1);
  }
  TargetSpec* spec = test_case.add_targets();
  spec->set_target("tvm");
  spec->set_options(R"({"kind":"llvm","opt-level":3,"mcpu":"x"})");
  test_case.mutable_inputs()->set_seed(123'456);
  return test_case;
}

TEST(FullReducerTest, ReducesAllPartsOfTheCaseJointly) {
  ASSERT_TRUE(VerifyCase(FullCase()).ok()) << VerifyCase(FullCase());
  const auto keeps = [](const Case& candidate) {
    bool has_c = false;
    for (const PassStep& step : candidate.passes().steps()) has_c |= step.name() == "c";
    return has_c && HasFloorDiv(candidate);
  };
  const absl::StatusOr<FullReduceResult> result = Reduce(FullCase(), keeps);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->finished);
  const Case& left = result->reduced;
  EXPECT_TRUE(VerifyCase(left).ok());
  ASSERT_EQ(left.passes().steps_size(), 1);
  EXPECT_EQ(left.passes().steps(0).name(), "c");
  EXPECT_EQ(left.passes().config_size(), 0);
  EXPECT_EQ(left.targets(0).options(), R"({"kind":"llvm"})");
  EXPECT_EQ(left.inputs().seed(), 0U);
  EXPECT_EQ(left.inputs().params_size(), 0);
  EXPECT_EQ(left.module().functions(0).params_size(), 0);
  EXPECT_LE(MeasureForReport(left).nodes, 5);
  EXPECT_LE(MeasureForReport(left).statements, 1);
}

TEST(FullReducerTest, TheResultDoesNotDependOnTheNumberOfWorkers) {
  Wide one(1);
  const Case alone = FullReduce(FullCase(), &one)->reduced;
  for (const size_t width : {2U, 3U, 8U}) {
    Wide several(width);
    EXPECT_EQ(FullReduce(FullCase(), &several)->reduced.SerializeAsString(),
              alone.SerializeAsString());
  }
}

TEST(FullReducerTest, PredicatesThatLieLeaveAVerifiedCase) {
  const absl::StatusOr<FullReduceResult> always =
      Reduce(FullCase(), [](const Case&) { return true; });
  EXPECT_TRUE(always->finished);
  EXPECT_TRUE(VerifyCase(always->reduced).ok());
  EXPECT_EQ(always->reduced.module().functions(0).body_size(), 0);

  const absl::StatusOr<FullReduceResult> never =
      Reduce(FullCase(), [](const Case&) { return false; });
  EXPECT_TRUE(never->finished);
  EXPECT_EQ(never->reduced.SerializeAsString(), FullCase().SerializeAsString());

  bool said = false;
  const absl::StatusOr<FullReduceResult> once =
      Reduce(FullCase(), [&](const Case&) { return !std::exchange(said, true); });
  EXPECT_EQ(once->progress.accepted, 1);
  EXPECT_TRUE(VerifyCase(once->reduced).ok());

  for (uint32_t seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    const absl::StatusOr<FullReduceResult> result =
        Reduce(FullCase(), [&](const Case&) { return random() % 3 == 0; });
    EXPECT_TRUE(VerifyCase(result->reduced).ok()) << seed;
  }
}

TEST(FullReducerTest, AsksOnlyOnceAboutACandidateAndOnlyAboutSmallerVerifiedOnes) {
  std::set<std::string> asked;
  int64_t weight = Weight(FullCase());
  const absl::StatusOr<FullReduceResult> result = Reduce(FullCase(), [&](const Case& candidate) {
    EXPECT_TRUE(asked.insert(candidate.SerializeAsString()).second);
    EXPECT_TRUE(VerifyCase(candidate).ok());
    EXPECT_LT(Weight(candidate), weight);
    const bool keeps = HasFloorDiv(candidate);
    if (keeps) weight = Weight(candidate);
    return keeps;
  });
  EXPECT_TRUE(result.ok());
}

TEST(FullReducerTest, GoesOnWhereItWasEnded) {
  TemporaryFolder folder;
  const auto keeps = [](const Case& candidate) { return HasFloorDiv(candidate); };
  const absl::StatusOr<FullReduceResult> whole = Reduce(FullCase(), keeps);
  FullReduceOptions options;
  options.state_folder = folder / "state";
  options.tests = 12;
  const absl::StatusOr<FullReduceResult> first = Reduce(FullCase(), keeps, options);
  EXPECT_FALSE(first->finished);
  EXPECT_EQ(first->progress.tests, 12);
  options.tests = 100'000;
  const absl::StatusOr<FullReduceResult> second = Reduce(FullCase(), keeps, options);
  EXPECT_TRUE(second->finished);
  EXPECT_EQ(second->reduced.SerializeAsString(), whole->reduced.SerializeAsString());
  EXPECT_LT(second->progress.tests, whole->progress.tests);
  // All is known now.
  EXPECT_EQ(Reduce(FullCase(), keeps, options)->progress.tests, 0);
  // Of another Case nothing is.
  Case other = FullCase();
  other.mutable_inputs()->set_seed(99);
  const absl::StatusOr<FullReduceResult> fresh =
      Reduce(other, [](const Case&) { return false; }, options);
  EXPECT_EQ(fresh->reduced.SerializeAsString(), other.SerializeAsString());
}

TEST(FullReducerTest, EndsWithinItsBudgetAndReturnsErrors) {
  FullReduceOptions options;
  options.stop = [] { return true; };
  EXPECT_EQ(Reduce(FullCase(), [](const Case&) { return true; }, options)->progress.tests, 0);
  options = {};
  options.time = std::chrono::milliseconds(0);
  EXPECT_EQ(Reduce(FullCase(), [](const Case&) { return true; }, options)->progress.tests, 0);
  const auto fails = [](const Case&) -> absl::StatusOr<bool> {
    return absl::UnavailableError("no worker");
  };
  EXPECT_TRUE(absl::IsUnavailable(Reduce(FullCase(), fails).status()));
}

// What shows by chance in a given program, as hashes and addresses decide in a compiler, is a wall
// for steps of one kind: nearly every smaller program is refused. Two steps at once get around it.
TEST(FullReducerTest, PairsOfEditsGoWhereNoSingleOneDoes) {
  const auto keeps = [](const Case& candidate) {
    const int64_t passes = candidate.passes().steps_size();
    const int64_t options = candidate.passes().config_size();
    return HasFloorDiv(candidate) && passes - options == 3;
  };
  const absl::StatusOr<FullReduceResult> result = Reduce(FullCase(), keeps);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->reduced.passes().config_size(), 0);
  EXPECT_EQ(result->reduced.passes().steps_size(), 3);
  EXPECT_TRUE(result->finished);
}

TEST(FullReducerTest, KeepsAHistoryToFallBackThrough) {
  const absl::StatusOr<FullReduceResult> result =
      Reduce(FullCase(), [](const Case& candidate) { return HasFloorDiv(candidate); });
  ASSERT_GE(result->history.size(), 2U);
  EXPECT_EQ(result->history.front().SerializeAsString(), FullCase().SerializeAsString());
  EXPECT_EQ(result->history.back().SerializeAsString(), result->reduced.SerializeAsString());
}

TEST(TrialsForTest, AsManyAsShowItNearlyAlways) {
  EXPECT_EQ(TrialsFor(3, 3), 1);
  EXPECT_EQ(TrialsFor(6, 12), 5);
  EXPECT_EQ(TrialsFor(1, 12), 20);
  EXPECT_EQ(TrialsFor(11, 12), 2);
}

}  // namespace
}  // namespace irate
