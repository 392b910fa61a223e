// The null bench finds nothing in what changes nothing, and something in what does.
#include "bench/null.h"

#include <unistd.h>

#include <set>

#include "bench/fork_pool.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/visit.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

NullOptions Small(uint64_t count) {
  NullOptions options;
  options.count = count;
  options.seed = 5;
  options.jobs = 2;
  return options;
}

TEST(NullBenchTest, FindsNothing) {
  NullOptions options = Small(300);
  uint64_t last = 0;
  options.progress = [&](const NullProgress& progress) {
    EXPECT_GT(progress.cases, last);
    last = progress.cases;
  };
  options.make_identity = []() -> absl::StatusOr<Identity> {
    return Identity([](const Case& one) -> absl::StatusOr<std::vector<Module>> {
      return std::vector<Module>{one.module()};
    });
  };
  const auto report = RunNullBench(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->cases, 300u);
  EXPECT_EQ(last, 300u);
  EXPECT_LT(report->dropped, 10u);
  EXPECT_GT(report->compared, 280u);
  EXPECT_GT(report->rewritten, 280u);
  EXPECT_GT(report->compared_rewritten, 50u);
  EXPECT_EQ(report->identities, report->cases - report->dropped);
  EXPECT_GT(report->rules.size(), 15u);
  EXPECT_TRUE(report->refusals.empty());
  EXPECT_TRUE(report->findings.empty()) << ToJson(*report);
  const auto json = nlohmann::json::parse(ToJson(*report));
  EXPECT_EQ(json["cases"], 300);
  EXPECT_EQ(json["findings"], 0);
  EXPECT_TRUE(json["details"].is_array());
}

// A compiler that does nothing but turn one constant into another.
absl::StatusOr<std::vector<Module>> WrongIdentity(const Case& one) {
  Module module = one.module();
  bool done = false;
  for (Function& function : *module.mutable_functions()) {
    VisitStmts(&function, [&](Stmt& stmt) {
      if (done || stmt.kind() != STORE || stmt.args(0).type() != I32) return;
      Expr wrong;
      wrong.set_op(CONST);
      wrong.set_type(I32);
      wrong.set_int_value(123456);
      if (stmt.args(0).lanes() == 0) {
        *stmt.mutable_args(0) = wrong;
        done = true;
      }
    });
  }
  if (!done) return absl::UnimplementedError("nothing to turn");
  return std::vector<Module>{module};
}

TEST(NullBenchTest, APlantedMiscompilationIsFound) {
  NullOptions options = Small(200);
  options.rewrites = 0;
  options.second_reference = false;
  options.make_identity = []() -> absl::StatusOr<Identity> { return Identity(WrongIdentity); };
  const auto report = RunNullBench(options);
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report->identities, 10u);
  EXPECT_GT(report->findings.size(), report->identities / 2);
  for (const NullFinding& finding : report->findings) EXPECT_EQ(finding.check, "identity");
  EXPECT_EQ(report->refusals.count("UNIMPLEMENTED: nothing to turn"), 0u);
  EXPECT_EQ(report->refusals.count("nothing to turn"), 1u);
}

TEST(NullBenchTest, IsDeterministicWhateverTheJobs) {
  NullOptions options = Small(100);
  options.second_reference = false;
  const auto one = RunNullBench(options);
  options.jobs = 1;
  const auto two = RunNullBench(options);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one->rules, two->rules);
  EXPECT_EQ(one->dropped, two->dropped);
}

TEST(ForkPoolTest, AllChunksArriveOnceAndDeathsCostTheirOwn) {
  std::set<uint64_t> seen;
  std::set<uint64_t> lost;
  const std::string big(200'000, 'x');  // more than a pipe holds
  const absl::Status status = RunChunks(
      20, 3, [] {},
      [&](uint64_t chunk) {
        if (chunk == 7) _exit(3);
        if (chunk == 11) raise(SIGKILL);
        return std::to_string(chunk) + big;
      },
      [&](uint64_t chunk, absl::StatusOr<std::string> result) {
        if (!result.ok()) {
          lost.insert(chunk);
          EXPECT_EQ(result.status().code(), absl::StatusCode::kAborted);
          return;
        }
        EXPECT_EQ(*result, std::to_string(chunk) + big);
        EXPECT_TRUE(seen.insert(chunk).second);
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(seen.size(), 18u);
  EXPECT_THAT(lost, testing::ElementsAre(7, 11));
}

TEST(ForkPoolTest, NothingToDoIsDone) {
  EXPECT_TRUE(RunChunks(
                  0, 0, [] {}, [](uint64_t) { return std::string(); },
                  [](uint64_t, absl::StatusOr<std::string>) { FAIL(); })
                  .ok());
}

}  // namespace
}  // namespace irate
