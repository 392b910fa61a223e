// The oracles of tier 2: each takes its own family of violations and no other.
#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::Undefined;
using ::irate::testing::WildCase;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void AddViolation(const std::string& kind, const std::string& detail, ObservationBuilder* builder) {
  ContractViolation* violation = builder->get().mutable_variants(0)->add_violations();
  violation->set_kind(kind);
  violation->set_function("main_compute_");
  violation->set_place("store float to C[i]");
  violation->set_detail(detail);
}

std::vector<std::string> Oracle(const std::string& kind) {
  ObservationBuilder builder({1, 2});
  builder.Ran({1, 2});
  AddViolation(kind, "something\nand more", &builder);
  std::vector<std::string> signatures;
  for (const Finding& finding : JudgeAll(StrictCase(), builder.get())) {
    signatures.push_back(finding.signature());
  }
  return signatures;
}

TEST(ViolationOracles, EachFamilyHasOneOracleAndANamedCulprit) {
  EXPECT_THAT(Oracle("memory.out-of-bounds.write.workspace"),
              ElementsAre("memory-error-tvm-codegen-out-of-bounds.write.workspace"));
  EXPECT_THAT(Oracle("value.signed-overflow"),
              ElementsAre("value-error-tvm-codegen-signed-overflow"));
  EXPECT_THAT(Oracle("abi.packed-argument-count"),
              ElementsAre("abi-violation-tvm-codegen-packed-argument-count"));
  EXPECT_THAT(Oracle("contract.packed-argument-count"),
              ElementsAre("contract-violation-tvm-codegen-packed-argument-count"));
  // What is the runtime's to keep is not blamed on the code.
  EXPECT_THAT(Oracle("contract.workspace-alignment"),
              ElementsAre("contract-violation-tvm-runtime-workspace-alignment"));
  EXPECT_THAT(Oracle("wrong-call.rank.out-of-bounds"),
              ElementsAre("wrong-call-tvm-packed-api-rank.out-of-bounds"));
  EXPECT_THAT(Oracle("device-memory.out-of-bounds.read.shared"),
              ElementsAre("device-memory-error-tvm-codegen-out-of-bounds.read.shared"));
  EXPECT_THAT(Oracle("device-order.divergence"),
              ElementsAre("device-order-tvm-codegen-divergence"));
  EXPECT_THAT(Oracle("device-source.rejected"), ElementsAre("device-source-tvm-codegen-something"));
  EXPECT_THAT(Oracle("device-launch.refused"), ElementsAre("device-launch-tvm-codegen-refused"));
  EXPECT_THAT(Oracle("memorable.thing"), IsEmpty());
}

// The checks of the packed API are asserts.
TEST(ViolationOracles, NothingIsExpectedOfChecksThatWereTakenOut) {
  ObservationBuilder builder({1, 2});
  builder.Ran({1, 2});
  AddViolation("wrong-call.rank.accepted", "returned 0", &builder);
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), SizeIs(1));
  StepObservation* step = builder.get().mutable_variants(0)->add_steps();
  step->set_pass("tirx.transform.SkipAssert");
  step->set_outcome(StepObservation::SKIPPED);
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), SizeIs(1));
  step->set_outcome(StepObservation::UNCHANGED);
  EXPECT_THAT(JudgeAll(StrictCase(), builder.get()), IsEmpty());
}

TEST(ViolationOracles, OneFindingForEachKindWithTheFirstPlace) {
  ObservationBuilder builder({1});
  AddViolation("memory.misaligned", "a store of 16 bytes to C", &builder);
  AddViolation("memory.misaligned", "a load of 16 bytes from A", &builder);
  AddViolation("memory.race", "tasks 0 and 1 write C[3]", &builder);
  const std::vector<Finding> findings =
      MakeMemoryErrorOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].shape(), "misaligned");
  EXPECT_EQ(findings[0].summary(), "a store of 16 bytes to C");
  EXPECT_THAT(findings[0].detail(), HasSubstr("in main_compute_\nat store float to C[i]"));
  EXPECT_THAT(findings[0].detail(), HasSubstr("and 1 more of this kind"));
  EXPECT_EQ(findings[1].shape(), "race");
}

TEST(ViolationOracles, IgnoreWhatAPassMadeUndefinedAdvisoriesAndWildMode) {
  ObservationBuilder broken({1});
  broken.Changed("tirx.transform.UnrollLoop", Undefined("out of bounds: C[9]"));
  AddViolation("memory.out-of-bounds.read.argument", "C[9]", &broken);
  EXPECT_THAT(MakeMemoryErrorOracle()->Judge(StrictCase(), broken.get(), 0), IsEmpty());

  ObservationBuilder advisory({1});
  AddViolation("value.uninitialised", "A[0]", &advisory);
  EXPECT_THAT(MakeValueErrorOracle()->Judge(WildCase(), advisory.get(), 0), IsEmpty());
  EXPECT_THAT(MakeValueErrorOracle()->Judge(StrictCase(), advisory.get(), 0), SizeIs(1));
  advisory.get().mutable_variants(0)->mutable_violations(0)->set_advisory(true);
  EXPECT_THAT(MakeValueErrorOracle()->Judge(StrictCase(), advisory.get(), 0), IsEmpty());
}

TEST(ViolationOracles, PassesThatCannotBeInterpretedShareTheBlame) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).NotLifted("tirx.transform.LowerTVMBuiltin");
  AddViolation("value.unreachable", "came to unreachable", &builder);
  const std::vector<Finding> findings =
      MakeValueErrorOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "tirx.transform.LowerTVMBuiltin..codegen");
}

}  // namespace
}  // namespace irate
