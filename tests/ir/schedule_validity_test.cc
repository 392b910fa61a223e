// The contract of schedules, rule by rule: a program that keeps it, and the same with one thing
// wrong.
#include "ir/schedule_validity.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/block_instances.h"
#include "ir/schedule.h"
#include "ir/schedule_preconditions.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The row sums of A, scaled: a reduction block and one that follows it.
constexpr char kProgram[] = R"(irate 1
inputs seed 0 {
}

func @main(buffer A, buffer C) {
  var i, k, vi, vk, j, vj: i32
  buffer A: i32[4, 6]
  buffer T: i32[4]
  buffer C: i32[4]

  block "root" {
    allocates T
    for i in 0..4 {
      for k in 0..6 {
        block "sum" {
          iter vi: spatial 0..4 = i
          iter vk: reduction 0..6 = k
          init {
            T[vi] = 0
          }
          T[vi] = T[vi] + A[vi, vk]
        }
      }
    }
    for j in 0..4 {
      block "scale" {
        iter vj: spatial 0..4 = j
        C[vj] = T[vj] * 3
      }
    }
  }
}
)";

Case Parsed(const std::string& text) {
  absl::StatusOr<Case> parsed = ParseCase(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
  if (!parsed.ok()) return {};
  EXPECT_TRUE(VerifyCase(*parsed).ok()) << VerifyCase(*parsed);
  return *std::move(parsed);
}

// The verdict on the program in which `from` became `to`.
std::string With(const std::string& from, const std::string& to) {
  EXPECT_THAT(kProgram, HasSubstr(from));
  const Case changed = Parsed(absl::StrReplaceAll(kProgram, {{from, to}}));
  return NotSchedulable(changed.module(), changed.inputs());
}

TEST(ScheduleValidity, AStagePipelineIsValid) {
  const Case test_case = Parsed(kProgram);
  EXPECT_THAT(NotSchedulable(test_case.module(), test_case.inputs()), IsEmpty());
}

TEST(ScheduleValidity, OrdersAndOffsetsThatAreOneToOneAreValid) {
  EXPECT_THAT(With("= i\n", "= 3 - i\n"), IsEmpty());
  EXPECT_THAT(With("for j in 0..4 {", "for j in 2..6 {"), HasSubstr("outside of their domain"));
  EXPECT_THAT(With("spatial 0..4 = j", "spatial 0..4 = (j * 3) % 4"), IsEmpty());
}

TEST(ScheduleValidity, StatementsLieInBlocks) {
  EXPECT_THAT(With("    for j in 0..4 {", "    C[0] = 1\n    for j in 0..4 {"),
              HasSubstr("outside of the function's blocks"));
}

TEST(ScheduleValidity, NothingLeavesItsBlock) {
  const std::string store = "C[vj] = T[vj] * 3\n";
  EXPECT_THAT(With(store, store + "        break\n"), HasSubstr("a jump leaves the block scale"));
  const Case own = Parsed(absl::StrReplaceAll(
      kProgram,
      {{"vj: i32", "vj, x: i32"}, {store, "for x in 0..2 {\n C[vj] = T[vj] * 3\n break\n }\n"}}));
  EXPECT_THAT(NotSchedulable(own.module(), own.inputs()), IsEmpty());
}

TEST(ScheduleValidity, LoopsAroundBlocksArePlain) {
  EXPECT_THAT(With("for k in 0..6 {", "for k in 0..12 step 2 {"), HasSubstr("has a step"));
  EXPECT_THAT(With("for k in 0..6 {", "for k in 0..i {"), HasSubstr("bounds that vary"));
  EXPECT_THAT(With("for j in 0..4 {", "for j in 0..0 {"), HasSubstr("never runs"));
}

TEST(ScheduleValidity, EveryInstanceIsExecutedOnce) {
  EXPECT_THAT(With("for j in 0..4 {", "for j in 0..3 {"), HasSubstr("leaves out"));
  const Case again =
      Parsed(absl::StrReplaceAll(kProgram, {{"for j in 0..4 {", "for j in 0..8 {"},
                                            {"spatial 0..4 = j", "spatial 0..4 = j // 2"}}));
  EXPECT_THAT(NotSchedulable(again.module(), again.inputs()), HasSubstr("twice"));
  EXPECT_THAT(With("spatial 0..4 = j", "spatial 0..4 = j\n        where j != 2"),
              HasSubstr("leaves out"));
  EXPECT_THAT(With("for j in 0..4 {", "for j in 0..5 {"), HasSubstr("outside of their domain"));
  // A condition may hold back what is outside, as a split's does.
  const Case split = Parsed(absl::StrReplaceAll(
      kProgram, {{"for j in 0..4 {", "for j in 0..5 {"},
                 {"spatial 0..4 = j", "spatial 0..4 = j\n        where j < 4"}}));
  EXPECT_THAT(NotSchedulable(split.module(), split.inputs()), IsEmpty());
}

TEST(ScheduleValidity, SpatialIteratorsAreIndependent) {
  EXPECT_THAT(With("C[vj] = T[vj] * 3", "C[vj // 2] = T[vj] * 3"), HasSubstr("not independent"));
  EXPECT_THAT(With("C[vj] = T[vj] * 3", "C[vj] = C[(vj + 1) % 4]"), HasSubstr("not independent"));
  EXPECT_THAT(With("C[vj] = T[vj] * 3", "C[vj] = C[vj] + T[vj]"), IsEmpty());
  EXPECT_THAT(With("C[vj] = T[vj] * 3", "C[T[vj] % 4] = 3"), HasSubstr("regions do not say"));
}

TEST(ScheduleValidity, StatedRegionsAreWhatIsTouched) {
  EXPECT_THAT(With("        C[vj] = T", "        writes C[vj]\n        C[vj] = T"), IsEmpty());
  EXPECT_THAT(With("        C[vj] = T", "        writes C[0]\n        C[vj] = T"),
              HasSubstr("more than its regions"));
}

TEST(ScheduleValidity, AReductionNeedNotStateThatItReadsItsResult) {
  const std::string body = "          init {";
  EXPECT_THAT(With(body, "          reads A[vi, vk]\n          writes T[vi]\n" + body), IsEmpty());
  EXPECT_THAT(With(body, "          reads A[vi, 0]\n          writes T[vi]\n" + body),
              HasSubstr("more than its regions"));
}

TEST(ScheduleValidity, ReductionsAreUpdatesInAnyOrder) {
  EXPECT_THAT(With("T[vi] + A[vi, vk]", "max(A[vi, vk], T[vi])"), IsEmpty());
  EXPECT_THAT(With("T[vi] + A[vi, vk]", "A[vi, vk] - T[vi]"), HasSubstr("no update"));
  EXPECT_THAT(With("T[vi] + A[vi, vk]", "T[vi] + A[vi, vk] * T[vi]"), HasSubstr("no update"));
  EXPECT_THAT(With("= k\n", "= 5 - k\n"), HasSubstr("initialises"));
}

TEST(BlockInstances, SeesBehindConditions) {
  const Case test_case = Parsed(absl::StrReplaceAll(
      kProgram, {{"C[vj] = T[vj] * 3", "C[vj] = if_then_else(vj > 0, T[vj - 1], 0)"}}));
  const auto blocks = WalkBlockInstances(test_case.module().functions(0), test_case.inputs());
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_TRUE(blocks->at("scale").read_leaves);
  EXPECT_FALSE(blocks->at("scale").write_leaves);
  EXPECT_FALSE(blocks->at("sum").read_leaves);
}

TEST(BlockInstances, ComparesWhatIsWrittenWithTheStatedRegion) {
  for (const auto& [region, less] : {std::pair("C[vj]", false), std::pair("C[0..4]", true)}) {
    const Case test_case = Parsed(absl::StrReplaceAll(
        kProgram,
        {{"        C[vj] = T", absl::StrCat("        writes ", region, "\n        C[vj] = T")}}));
    const auto blocks = WalkBlockInstances(test_case.module().functions(0), test_case.inputs());
    ASSERT_TRUE(blocks.ok()) << blocks.status();
    EXPECT_EQ(blocks->at("scale").writes_less, less) << region;
  }
}

TEST(BlockInstances, GivesUpInTime) {
  const Case test_case = Parsed(kProgram);
  const auto blocks = WalkBlockInstances(test_case.module().functions(0), test_case.inputs(), 20);
  EXPECT_EQ(blocks.status().code(), absl::StatusCode::kResourceExhausted);
}

std::string Broken(const Case& test_case, const std::string& step) {
  const Case with = Parsed(absl::StrReplaceAll(
      PrintCase(test_case),
      {{"inputs seed 0 {\n}\n", "inputs seed 0 {\n}\nschedule {\n  " + step + "\n}\n"}}));
  return BrokenPrecondition(with.module(), with.inputs(), with.schedule().steps(0));
}

TEST(SchedulePreconditions, WhatIsCopiedIsARegionOfTheBuffer) {
  const Case plain = Parsed(kProgram);
  const Case guarded = Parsed(absl::StrReplaceAll(
      kProgram, {{"C[vj] = T[vj] * 3", "C[vj] = if_then_else(vj > 0, T[vj - 1], 0)"}}));
  for (const std::string step :
       {R"(cache_read("scale", 0, "global"))", R"(read_at("scale", 0, "scale", 0, "global"))",
        R"(reindex("scale", "read", 0))"}) {
    EXPECT_THAT(Broken(plain, step), IsEmpty()) << step;
    EXPECT_THAT(Broken(guarded, step), HasSubstr("leaves a buffer")) << step;
  }
}

TEST(SchedulePreconditions, ParallelLoopsDoNotNest) {
  const Case outer =
      Parsed(absl::StrReplaceAll(kProgram, {{"for i in 0..4 {", "for i in 0..4 parallel {"}}));
  EXPECT_THAT(Broken(outer, R"(parallel("sum", 1))"), HasSubstr("is parallel"));
  EXPECT_THAT(Broken(outer, R"(parallel("scale", 0))"), IsEmpty());
  const Case inner =
      Parsed(absl::StrReplaceAll(kProgram, {{"for k in 0..6 {", "for k in 0..6 parallel {"}}));
  EXPECT_THAT(Broken(inner, R"(parallel("sum", 0))"), HasSubstr("is parallel"));
}

TEST(SchedulePreconditions, NothingRunsAgainBelowAParallelLoop) {
  const Case plain = Parsed(kProgram);
  const Case again = Parsed(
      absl::StrReplaceAll(kProgram, {{"spatial 0..4 = j", "spatial 0..1 = 0"}, {"C[vj]", "C[0]"}}));
  for (const std::string step : {R"(parallel("scale", 0))", R"(vectorize("scale", -1))",
                                 R"(bind("scale", 0, "vthread.x"))"}) {
    EXPECT_THAT(Broken(plain, step), IsEmpty()) << step;
    EXPECT_THAT(Broken(again, step), HasSubstr("runs repeatedly")) << step;
  }
}

}  // namespace
}  // namespace irate
