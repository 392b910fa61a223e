#include <regex>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle.h"

namespace irate {
namespace {

Finding Make(const std::string& oracle, const std::string& culprit, const std::string& shape) {
  Finding finding;
  finding.set_oracle(oracle);
  finding.set_target("tvm");
  finding.set_culprit(culprit);
  finding.set_shape(shape);
  return finding;
}

TEST(SignatureTest, IsReadable) {
  EXPECT_EQ(MakeSignature(Make("pass-mismatch", "tirx.transform.StmtSimplify", "value")),
            "pass-mismatch-tvm-tirx.StmtSimplify-value");
  EXPECT_EQ(MakeSignature(Make("compiler-crash", "codegen", "SIGSEGV.tvm::A::B.main")),
            "compiler-crash-tvm-codegen-SIGSEGV.tvm.A.B.main");
}

TEST(SignatureTest, IsAFileNameOfBoundedLengthWhateverTheMessage) {
  const std::string signature =
      MakeSignature(Make("internal-error", "../../etc", std::string(5'000, '/') + "Ä x\n\0y"));
  EXPECT_TRUE(std::regex_match(signature, std::regex("[a-zA-Z0-9._-]+"))) << signature;
  EXPECT_LT(signature.size(), 250u);
  EXPECT_NE(signature.front(), '.');
}

TEST(SignatureTest, KeepsApartWhatDiffersOnlyInSymbols) {
  const std::string less = MakeSignature(Make("internal-error", "A", "Check failed: (a < b)"));
  const std::string more = MakeSignature(Make("internal-error", "A", "Check failed: (a > b)"));
  EXPECT_NE(less, more);
  EXPECT_EQ(less, MakeSignature(Make("internal-error", "A", "Check failed: (a < b)")));
}

TEST(SignatureTest, DoesNotDependOnWhatASightingSays) {
  Finding finding = Make("pass-mismatch", "A", "value");
  const std::string before = MakeSignature(finding);
  finding.set_summary("1 for 2");
  finding.set_detail("C[3]");
  finding.set_step(7);
  EXPECT_EQ(MakeSignature(finding), before);
}

}  // namespace
}  // namespace irate
