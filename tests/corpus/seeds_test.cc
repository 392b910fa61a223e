// Each program of corpus/seeds is valid, defined, means the same to TVM as it does here, and stays
// what it is through lowering.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "execution/harness.h"
#include "generators/generator.h"
#include "generators/seed_programs.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "ir/verify.h"
#include "oracles/oracle.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

std::vector<Case> Programs() {
  auto programs = LoadSeedPrograms(IRATE_SOURCE_DIR "/corpus/seeds");
  EXPECT_TRUE(programs.ok()) << programs.status();
  return programs.ok() ? *std::move(programs) : std::vector<Case>();
}

TEST(SeedPrograms, AreManyOperators) {
  std::set<std::string> operators;
  for (const Case& program : Programs()) {
    EXPECT_TRUE(VerifyCase(program).ok());
    operators.insert(program.generator());
  }
  EXPECT_GE(operators.size(), 60u);
}

TEST(SeedPrograms, MeanTheSameAfterLowering) {
  HarnessOptions options{.worker = SelftestOptions()};
  options.worker.target = "tvm";
  options.target.run_native = false;
  const auto harness = Harness::Create(options);
  ASSERT_TRUE(harness.ok()) << harness.status();
  for (Case program : Programs()) {
    program.mutable_passes()->add_steps()->set_name("tirx.transform.BindTarget");
    const auto seen = (*harness)->Execute(program);
    ASSERT_TRUE(seen.ok()) << seen.status();
    EXPECT_EQ(seen->reference().status(), Interpretation::DEFINED) << program.generator();
    for (const std::string& fault : HarnessFaults(*seen)) {
      ADD_FAILURE() << program.generator() << ": " << fault;
    }
    ASSERT_EQ(seen->variants_size(), 1);
    const StepObservation& lowered = seen->variants(0).steps(0);
    EXPECT_FALSE(Compare(seen->reference(), lowered.interpretation()).has_value())
        << program.generator();
  }
}

TEST(SeedPrograms, AreAShareOfTheCases) {
  GenerateOptions options;
  options.seeds = std::make_shared<const std::vector<Case>>(Programs());
  int drawn = 0;
  int scheduled = 0;
  for (uint64_t i = 0; i < 1'000; ++i) {
    const Case test_case = GenerateCase(CaseSeed(3, i), options);
    if (!test_case.generator().starts_with("topi.")) continue;
    ++drawn;
    scheduled += test_case.has_schedule() ? 1 : 0;
    EXPECT_TRUE(VerifyCase(test_case).ok());
  }
  EXPECT_GT(drawn, 40);
  EXPECT_LT(drawn, 160);
  EXPECT_GT(scheduled, drawn / 2);
}

}  // namespace
}  // namespace irate
