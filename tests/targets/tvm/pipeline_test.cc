#include "targets/tvm/pipeline.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "programs.h"
#include "targets/tvm/lower.h"
#include "targets/tvm/tvm_library.h"

namespace irate::tvm_target {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PipelineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(LoadLibrary().ok()) << LoadLibrary(); }

  static void Set(const std::string& key, Expr value, PassSequence* sequence) {
    Attribute* attribute = sequence->add_config();
    attribute->set_key(key);
    *attribute->mutable_value() = std::move(value);
  }

  static std::string Unrolled(const PassSequence& sequence) {
    const PassContext context(sequence.config());
    PassStep step;
    step.set_name("tirx.transform.UnrollLoop");
    const Any pass = MakePass(step, Any()).value();
    const Any module = LowerModule(tvm_test::Matmul(2).module()).value();
    return ToString(
        Native<"node.TVMScriptPrinterScript">(Native<"transform.RunPass">(pass, module), nullptr));
  }
};

TEST_F(PipelineTest, OptionsOfAnObjectAreGivenFieldByField) {
  PassSequence sequence;
  EXPECT_THAT(Unrolled(sequence), HasSubstr("for k in range(2)"));
  Set("tirx.UnrollLoop.auto_max_step", build::I32Const(16), &sequence);
  Set("tirx.UnrollLoop.auto_max_depth", build::I32Const(8), &sequence);
  EXPECT_THAT(Unrolled(sequence), Not(HasSubstr("for k in range(2)")));
}

TEST_F(PipelineTest, UnknownOptionsAreRefused) {
  PassSequence sequence;
  Set("tirx.no_such_option", build::BoolConst(true), &sequence);
  EXPECT_THROW(PassContext context(sequence.config()), ffi::Error);
}

TEST_F(PipelineTest, ContextsEnd) {
  const auto current = [] { return Native<"transform.GetCurrentPassContext">().as<ffi::Object>(); };
  const Object* outer = current();
  {
    const PassContext context({});
    EXPECT_NE(current(), outer);
  }
  EXPECT_EQ(current(), outer);
}

TEST_F(PipelineTest, UnknownPassesAreNamed) {
  PassStep step;
  step.set_name("tirx.transform.NoSuchPass");
  const absl::StatusOr<Any> pass = MakePass(step, Any());
  EXPECT_EQ(pass.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(pass.status().message()), HasSubstr("tirx.transform.NoSuchPass"));
}

TEST_F(PipelineTest, WrongArgumentsAreExplained) {
  PassStep step;
  step.set_name("tirx.transform.NarrowDataType");
  *step.add_args() = build::String("thirty-two");
  const absl::StatusOr<Any> pass = MakePass(step, Any());
  EXPECT_EQ(pass.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(pass.status().message()), HasSubstr("does not take these arguments"));
}

}  // namespace
}  // namespace irate::tvm_target
