// Down into TVM and up again changes nothing.
#include "bench/null_identity.h"

#include "bench/null.h"
#include "gtest/gtest.h"
#include "targets/tvm/tvm_target.h"

namespace irate {
namespace {

TEST(NullIdentityTest, LoweringAndLiftingThroughTvmChangesNothing) {
  NullOptions options;
  options.count = 200;
  options.seed = 9;
  options.jobs = 2;
  options.rewrites = 0;
  options.second_reference = false;
  options.make_identity = TargetIdentity(MakeTvmTarget, {"tirx.transform.BindTarget"});
  const auto report = RunNullBench(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->findings.empty()) << ToJson(*report);
  uint64_t refused = 0;
  for (const auto& [what, count] : report->refusals) refused += count;
  EXPECT_LE(refused, report->cases / 20) << ToJson(*report);
  // Both the module as lowered and the one with the target's attribute.
  EXPECT_GE(report->identities, 2 * (report->cases - report->dropped - refused));
}

}  // namespace
}  // namespace irate
