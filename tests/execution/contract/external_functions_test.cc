// External functions as packed functions: results, refusals, and what the contract runtime notices.
#include "execution/contract/external_functions.h"

#include <array>

#include "execution/contract/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate::contract {
namespace {

using ::testing::HasSubstr;

// Three tensors of four elements in one memory, with their descriptors.
template <typename T>
struct Tensors {
  std::array<T, 12> data = {1, 2, 3, 4, 2, 2, 2, 2};
  int64_t extent = 4;
  std::array<AbiTensor, 3> tensors;
  std::array<PackedAny, 3> args;
  Tensors(uint8_t code, uint8_t bits) {
    for (size_t k = 0; k < tensors.size(); ++k) {
      tensors[k].data = data.data();
      tensors[k].byte_offset = k * 4 * sizeof(T);
      tensors[k].device = {kCpuDevice, 0};
      tensors[k].ndim = 1;
      tensors[k].dtype = {code, bits, 1};
      tensors[k].shape = &extent;
      args[k].type_index = kTensorPointer;
      args[k].v_ptr = &tensors[k];
    }
  }
};

const ExternalFunction& Sum() { return *FindExternalFunction("irate.external.sum"); }

template <typename T>
void ExpectSums(uint8_t code, uint8_t bits) {
  Tensors<T> t(code, bits);
  PackedAny result;
  EXPECT_EQ(RunExternal(Sum(), t.args.data(), 3, &result), "");
  EXPECT_EQ(result.type_index, kInt);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(t.data[8 + i], static_cast<T>(t.data[i] + 2));
}

TEST(ExternalFunctions, TakeEveryTypeThatTheInterpreterTakes) {
  ExpectSums<int8_t>(kIntCode, 8);
  ExpectSums<int16_t>(kIntCode, 16);
  ExpectSums<int32_t>(kIntCode, 32);
  ExpectSums<int64_t>(kIntCode, 64);
  ExpectSums<uint8_t>(kUIntCode, 8);
  ExpectSums<uint16_t>(kUIntCode, 16);
  ExpectSums<uint32_t>(kUIntCode, 32);
  ExpectSums<uint64_t>(kUIntCode, 64);
  ExpectSums<float>(kFloatCode, 32);
  ExpectSums<double>(kFloatCode, 64);
}

TEST(ExternalFunctions, SayWhatIsWrongAndWriteNothing) {
  Tensors<float> t(kFloatCode, 32);
  const auto before = t.data;
  PackedAny result;
  EXPECT_THAT(RunExternal(Sum(), t.args.data(), 2, &result), HasSubstr("reads 3 arguments, 2 are"));
  t.tensors[2].dtype.bits = 16;
  EXPECT_THAT(RunExternal(Sum(), t.args.data(), 3, &result), HasSubstr("argument 2"));
  t.tensors[2].dtype.bits = 32;
  t.args[1].type_index = kInt;
  EXPECT_THAT(RunExternal(Sum(), t.args.data(), 3, &result), HasSubstr("argument 1"));
  EXPECT_EQ(t.data, before);
}

TEST(ExternalFunctions, TheRuntimeReportsAMissingArgument) {
  for (const Fault fault : {Fault::kNone, Fault::kPackedDropArgument}) {
    RuntimeOptions options;
    options.fault = fault;
    const absl::StatusOr<std::unique_ptr<Runtime>> runtime = Runtime::Create(options);
    ASSERT_TRUE(runtime.ok()) << runtime.status();
    (*runtime)->RegisterExternalFunctions();
    ASSERT_TRUE((*runtime)->Begin().ok());
    PackedCalls& packed = (*runtime)->packed();
    void* handle = nullptr;
    ASSERT_EQ(packed.LookUp(packed.library_context(), "irate.external.sum", &handle, nullptr), 0);
    Tensors<float> t(kFloatCode, 32);
    PackedAny result;
    const int returned = packed.Call(handle, t.args.data(), 3, &result, nullptr);
    (*runtime)->Finish(returned);
    const std::vector<ContractReport> reports = (*runtime)->TakeReports();
    if (fault == Fault::kNone) {
      EXPECT_EQ(returned, 0);
      EXPECT_TRUE(reports.empty());
      EXPECT_EQ(t.data[8], 3);
    } else {
      EXPECT_NE(returned, 0);
      ASSERT_FALSE(reports.empty());
      EXPECT_EQ(reports[0].clause, Clause::kPackedArgumentCount);
    }
  }
}

}  // namespace
}  // namespace irate::contract
