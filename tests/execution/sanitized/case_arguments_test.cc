// Arguments of a Case in memory: values, types, strides, offsets and alignment from the function.
#include "execution/sanitized/case_arguments.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/inputs.h"

namespace irate::sanitized {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void SetConst(Expr* expr, int64_t value) {
  expr->set_op(CONST);
  expr->set_type(I32);
  expr->set_int_value(value);
}

// main(A: f32[2, 3] strided by [8, 1] at element offset 4, aligned to 16; B: bf16[5]; s: i8)
Function MakeFunction() {
  Function function;
  function.set_name("main");
  Buffer* strided = function.add_buffers();
  strided->set_name("A");
  strided->set_type(F32);
  strided->set_alignment(16);
  SetConst(strided->add_shape(), 2);
  SetConst(strided->add_shape(), 3);
  SetConst(strided->add_strides(), 8);
  SetConst(strided->add_strides(), 1);
  SetConst(strided->mutable_elem_offset(), 4);
  Buffer* compact = function.add_buffers();
  compact->set_name("B");
  compact->set_type(BF16);
  SetConst(compact->add_shape(), 5);
  Variable* scalar = function.add_variables();
  scalar->set_name("s");
  scalar->set_type(I8);
  for (uint32_t id : {0u, 1u}) {
    Param* param = function.add_params();
    param->set_kind(PARAM_BUFFER);
    param->set_id(id);
  }
  Param* param = function.add_params();
  param->set_kind(PARAM_SCALAR);
  param->set_id(0);
  return function;
}

TEST(CaseArguments, FollowTheFunction) {
  const Function function = MakeFunction();
  Inputs inputs;
  inputs.set_seed(11);
  const auto values = MakeArguments(function, inputs);
  ASSERT_TRUE(values.ok()) << values.status();
  const auto arguments = CaseArguments(function, inputs);
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  ASSERT_EQ(arguments->size(), 3u);

  const contract::TensorArgument& strided = *(*arguments)[0].tensor;
  EXPECT_EQ(strided.name, "A");
  EXPECT_EQ(strided.type, (contract::AbiType{contract::kFloatCode, 32, 1}));
  EXPECT_THAT(strided.shape, ElementsAre(2, 3));
  EXPECT_THAT(strided.strides, ElementsAre(8, 1));
  EXPECT_EQ(strided.byte_offset, 16u);
  EXPECT_EQ(strided.alignment, 16u);
  EXPECT_EQ(strided.contents, (*values)[0].tensor.data());

  const contract::TensorArgument& compact = *(*arguments)[1].tensor;
  EXPECT_EQ(compact.type, (contract::AbiType{contract::kBfloatCode, 16, 1}));
  EXPECT_THAT(compact.strides, IsEmpty());
  EXPECT_EQ(compact.alignment, 64u);

  const contract::ScalarArgument& scalar = (*arguments)[2].scalar;
  EXPECT_EQ(scalar.value.type_index, contract::kInt);
  EXPECT_EQ(scalar.value.v_int64, static_cast<int8_t>((*values)[2].tensor.data()[0]));
}

TEST(CaseArguments, ContentsReadBackAsTensors) {
  const Function function = MakeFunction();
  Inputs inputs;
  inputs.set_seed(11);
  const auto arguments = CaseArguments(function, inputs);
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  contract::RegionMap regions;
  auto buffers = contract::HostBuffers::Create(*arguments, &regions);
  ASSERT_TRUE(buffers.ok()) << buffers.status();
  const auto tensors =
      ToTensors(function, inputs, {(*buffers)->Contents(0), (*buffers)->Contents(1)});
  ASSERT_TRUE(tensors.ok()) << tensors.status();
  ASSERT_EQ(tensors->size(), 2u);
  const auto values = MakeArguments(function, inputs);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*tensors)[i].SerializeAsString(), (*values)[i].tensor.SerializeAsString()) << i;
  }
  EXPECT_EQ(ToTensors(function, inputs, {}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ToAbiType, EveryScalarType) {
  using contract::AbiType;
  EXPECT_EQ(ToAbiType(BOOL, 0), (AbiType{contract::kBoolCode, 8, 1}));
  EXPECT_EQ(ToAbiType(I64, 0), (AbiType{contract::kIntCode, 64, 1}));
  EXPECT_EQ(ToAbiType(U8, 0), (AbiType{contract::kUIntCode, 8, 1}));
  EXPECT_EQ(ToAbiType(F16, 4), (AbiType{contract::kFloatCode, 16, 4}));
  EXPECT_EQ(ToAbiType(F8E4M3FN, 0), (AbiType{contract::kFloat8E4M3FNCode, 8, 1}));
  EXPECT_EQ(ToAbiType(F8E5M2, 0), (AbiType{contract::kFloat8E5M2Code, 8, 1}));
  EXPECT_EQ(ToAbiType(HANDLE, 0), (AbiType{contract::kHandleCode, 64, 1}));
}

}  // namespace
}  // namespace irate::sanitized
