// Calls of external functions, in the form that a program has and in the one that passes lower it
// to.
#include <cstring>
#include <string>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/external.h"
#include "ir/interpreter.h"
#include "ir/text.h"

namespace irate {
namespace {

using testing::HasSubstr;

// tensor("A", 4): a descriptor of the first four elements.
std::string Tensor(const std::string& buffer, int extent, const std::string& zero = "0") {
  return fmt::format(
      "tvm_stack_make_array<handle>({}.data, tvm_stack_make_shape<handle>({}), 0, 1, {}, 0)",
      buffer, extent, zero);
}

// A function of three buffers of four i32 each, with `body`.
Interpretation Interpreted(const std::string& body, bool as_result = false) {
  const std::string text = "func @main(buffer A, buffer B, buffer C) {\n  buffer A: i32[4]\n" +
                           std::string("  buffer B: i32[4]\n  buffer C: i32[4]\n\n") + body + "}\n";
  const absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  Inputs inputs;
  inputs.set_seed(3);
  InterpretOptions options;
  if (as_result) options.mode = InterpretOptions::Mode::kPassResult;
  const absl::StatusOr<Interpretation> result = Interpret(*module, inputs, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(Interpretation());
}

std::string Call(const std::string& name, const std::string& args) {
  return fmt::format("  eval tvm_call_packed<i32>(\"irate.external.{}\", {})\n", name, args);
}

int32_t At(const Interpretation& result, int output, int i) {
  int32_t value = 0;
  std::memcpy(&value, result.outputs(output).tensor().data().data() + i * sizeof(value),
              sizeof(value));
  return value;
}

TEST(External, EveryOutputIsComputed) {
  const Interpretation result = Interpreted(
      Call("double_square", Tensor("A", 4) + ", " + Tensor("B", 4) + ", " + Tensor("C", 4)));
  ASSERT_EQ(result.status(), Interpretation::DEFINED) << result.reason();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(At(result, 1, i), 2 * At(result, 0, i));
    EXPECT_EQ(At(result, 2, i), At(result, 0, i) * At(result, 0, i));
  }
}

TEST(External, ReadsTheFirstElementsOnlyWhereTheShapeSaysSo) {
  const Interpretation result =
      Interpreted(Call("sum", Tensor("A", 3) + ", " + Tensor("A", 3) + ", " + Tensor("C", 3)));
  const Interpretation before = Interpreted("  eval 0\n");
  ASSERT_EQ(result.status(), Interpretation::DEFINED) << result.reason();
  EXPECT_EQ(At(result, 2, 2), 2 * At(result, 0, 2));
  EXPECT_EQ(At(result, 2, 3), At(before, 2, 3));
}

TEST(External, AMissingArgumentIsUndefined) {
  const Interpretation result =
      Interpreted(Call("double_square", Tensor("A", 4) + ", " + Tensor("B", 4)));
  EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
  EXPECT_THAT(result.reason(), HasSubstr("reads 3 arguments, 2 are passed"));
}

TEST(External, OtherTypesOrSizesAreUndefined) {
  for (const std::string& last : {Tensor("C", 3), Tensor("C", 4, "0.0")}) {
    const Interpretation result =
        Interpreted(Call("sum", Tensor("A", 4) + ", " + Tensor("B", 4) + ", " + last));
    EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
    EXPECT_THAT(result.reason(), HasSubstr("argument 2 of irate.external.sum"));
  }
}

TEST(External, ATensorThatIsLargerThanItsMemoryIsOutOfBounds) {
  const Interpretation result =
      Interpreted(Call("sum", Tensor("A", 5) + ", " + Tensor("B", 5) + ", " + Tensor("C", 5)));
  EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
  EXPECT_THAT(result.reason(), HasSubstr("out of bounds"));
}

TEST(External, UnknownFunctionsHaveNoMeaningHere) {
  const Interpretation result = Interpreted(Call("no_such_function", Tensor("A", 4)));
  EXPECT_NE(result.status(), Interpretation::DEFINED);
}

// As tirx.transform.LowerTVMBuiltin leaves a call: descriptors in an array on the stack, and what
// the packed interface passes in another.
std::string Lowered(int passed) {
  std::string text;
  text += "  let any = tvm_stack_alloca<handle>(\"tvm_ffi_any\", 4)\n";
  const char* const kBuffers[] = {"A", "B", "C"};
  for (int k = 0; k < 3; ++k) {
    text += fmt::format("  let t{} = {}\n", k, Tensor(kBuffers[k], 4));
    text += fmt::format("  eval tvm_struct_set<i32>(any, {}, 13, 7)\n", k);
    text += fmt::format("  eval tvm_struct_set<i32>(any, {}, 15, t{})\n", k, k);
  }
  text += "  eval tvm_struct_set<i32>(any, 3, 13, 0)\n";
  return text +
         fmt::format("  eval tvm_call_packed_lowered<i32>(\"irate.external.sum\", any, 0, {})\n",
                     passed);
}

TEST(External, TheLoweredFormReadsTheArgumentArray) {
  const std::string variables = "  var any, t0, t1, t2: handle\n";
  const Interpretation result = Interpreted(variables + Lowered(3), true);
  ASSERT_EQ(result.status(), Interpretation::DEFINED) << result.reason();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(At(result, 2, i), At(result, 0, i) + At(result, 1, i));
  const Interpretation dropped = Interpreted(variables + Lowered(2), true);
  EXPECT_NE(dropped.status(), Interpretation::DEFINED);
  EXPECT_THAT(dropped.reason(), HasSubstr("reads 3 arguments, 2 are passed"));
}

}  // namespace
}  // namespace irate
