// The measurement on a few Cases of the real compiler: every number is there, and the peer runs.
#include "bench/throughput.h"

#include <cstdlib>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

TEST(ThroughputTest, MeasuresTiersGeneratorAndPeer) {
  ThroughputOptions options;
  options.count = 6;
  options.peer_count = 6;
  options.worker = SelftestOptions();
  options.worker.target = "tvm";
  const char* python = std::getenv("IRATE_TEST_PYTHON");
  if (python != nullptr) options.python = python;
  const auto report = MeasureThroughput(options);
  ASSERT_TRUE(report.ok()) << report.status();
  for (const TierThroughput* tier : {&report->tier0, &report->tier1}) {
    EXPECT_EQ(tier->cases, 6u);
    EXPECT_GT(tier->compiler_ms, 0);
    EXPECT_GT(tier->own_ms, tier->generate_ms);
    EXPECT_GT(tier->mean_passes, tier->mean_changed);
    EXPECT_GT(tier->mean_changed, 0);
  }
  EXPECT_GT(report->tier1.compiler_ms, report->tier0.compiler_ms);
  EXPECT_GT(report->two_jobs_over_one, 0);
  if (python != nullptr) {
    EXPECT_EQ(report->peer_problem, "");
    EXPECT_GT(report->peer_cases, 0u);
    EXPECT_EQ(report->peer_cases + report->peer_refused, 6u);
    EXPECT_GT(report->peer_passes_per_s, report->peer_cases_per_s);
  } else {
    EXPECT_NE(report->peer_problem, "");
  }
  const auto json = nlohmann::json::parse(ToJson(*report));
  for (const char* key :
       {"cases_per_s", "mean_nodes", "mean_passes", "mean_changed", "compiler_ms", "own_ms"}) {
    EXPECT_TRUE(json["tier0"].contains(key)) << key;
    EXPECT_TRUE(json["tier1"].contains(key)) << key;
  }
  EXPECT_TRUE(json["generator"].contains("cases_per_s"));
  EXPECT_TRUE(json["python_peer"].contains("cases_per_s"));
}

}  // namespace
}  // namespace irate
