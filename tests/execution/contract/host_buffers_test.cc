#include "execution/contract/host_buffers.h"

#include <cstring>

#include "execution/contract/poison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/contract/recorder.h"

namespace irate::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Argument Bytes(std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
  TensorArgument tensor;
  tensor.name = "A";
  tensor.type = {kUIntCode, 8, 1};
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  for (int64_t i = 0; i < count; ++i) tensor.contents.push_back(static_cast<char>(i));
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  Argument argument;
  argument.tensor = std::move(tensor);
  return argument;
}

class Buffers : public ::testing::Test {
 protected:
  void Make(const std::vector<Argument>& arguments) {
    auto buffers = HostBuffers::Create(arguments, &regions_);
    ASSERT_TRUE(buffers.ok()) << buffers.status();
    buffers_ = *std::move(buffers);
  }
  RegionMap regions_;
  std::unique_ptr<HostBuffers> buffers_;
};

TEST_F(Buffers, DescribeATensorExactly) {
  Make({Bytes({3, 5})});
  const AbiTensor& tensor = *buffers_->tensor(0);
  EXPECT_EQ(tensor.ndim, 2);
  EXPECT_EQ(tensor.shape[1], 5);
  EXPECT_EQ(tensor.strides, nullptr);
  EXPECT_EQ(tensor.byte_offset, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data) % 128, 64u);
  EXPECT_EQ(buffers_->size(), 1);
  EXPECT_EQ(buffers_->arguments()[0].type_index, kTensorPointer);
  EXPECT_EQ(buffers_->arguments()[0].v_ptr, &tensor);
  EXPECT_EQ(buffers_->Contents(0), Bytes({3, 5}).tensor->contents);
}

TEST_F(Buffers, StridesAndOffsetsPlaceElements) {
  Argument argument = Bytes({2, 3}, {8, 2});
  argument.tensor->byte_offset = 5;
  argument.tensor->alignment = 16;
  Make({argument});
  const AbiTensor& tensor = *buffers_->tensor(0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data) % 32, 16u);
  const auto* first = static_cast<const uint8_t*>(tensor.data) + 5;
  EXPECT_EQ(first[8 + 2], 4);
  EXPECT_EQ(buffers_->Contents(0), argument.tensor->contents);
  const auto region = regions_.Find(reinterpret_cast<uintptr_t>(first));
  ASSERT_TRUE(region);
  EXPECT_EQ(region->begin, reinterpret_cast<uintptr_t>(first));
  EXPECT_EQ(region->end - region->begin, 13u);
}

TEST_F(Buffers, PoisonWhatBelongsToNoElement) {
  if (!AsanPresent()) GTEST_SKIP() << "needs AddressSanitizer";
  Make({Bytes({2, 8}, {16, 1}), Bytes({4})});
  const auto* data = static_cast<const uint8_t*>(buffers_->tensor(0)->data);
  EXPECT_EQ(FirstPoisoned(data, 8), nullptr);
  EXPECT_EQ(FirstPoisoned(data, 9), data + 8);
  EXPECT_EQ(FirstPoisoned(data + 16, 8), nullptr);
  EXPECT_EQ(FirstPoisoned(data + 16, 9), data + 24);
  const PackedAny* arguments = buffers_->arguments();
  EXPECT_EQ(FirstPoisoned(arguments, 2 * sizeof(PackedAny)), nullptr);
  EXPECT_EQ(FirstPoisoned(arguments, 2 * sizeof(PackedAny) + 1), arguments + 2);
  EXPECT_NE(FirstPoisoned(buffers_->tensor(0)->shape, 3 * sizeof(int64_t)), nullptr);
  EXPECT_NE(FirstPoisoned(buffers_->tensor(0), sizeof(AbiTensor) + 1), nullptr);
}

__attribute__((no_sanitize("address"))) void Smash(void* data, int64_t offset) {
  static_cast<volatile uint8_t*>(data)[offset] ^= 0x55;
}

TEST_F(Buffers, TellWritesOutsideOfElements) {
  Make({Bytes({2, 8}, {16, 1})});
  Recorder clean;
  buffers_->CheckUntouched(clean.Sink());
  EXPECT_THAT(clean.reports(), IsEmpty()) << clean.Text();
  for (int64_t offset : {-1, 10, 24}) {
    Smash(buffers_->tensor(0)->data, offset);
    Recorder recorder;
    buffers_->CheckUntouched(recorder.Sink());
    ASSERT_THAT(recorder.Clauses(), ElementsAre(Clause::kRedZone));
    EXPECT_EQ(recorder.reports()[0].value, offset);
    EXPECT_THAT(recorder.reports()[0].text, HasSubstr("no element of A"));
    Smash(buffers_->tensor(0)->data, offset);
  }
}

TEST_F(Buffers, ScalarsAndEmptyTensors) {
  Argument scalar;
  scalar.scalar.value.type_index = kInt;
  scalar.scalar.value.v_int64 = 42;
  Make({Bytes({0, 4}), scalar, Bytes({})});
  EXPECT_EQ(buffers_->arguments()[1].v_int64, 42);
  EXPECT_EQ(buffers_->tensor(1), nullptr);
  EXPECT_EQ(buffers_->Contents(0), "");
  EXPECT_EQ(buffers_->tensor(2)->ndim, 0);
  EXPECT_EQ(buffers_->Contents(2).size(), 1u);
}

TEST_F(Buffers, RefuseWhatIsNoTensor) {
  const auto code = [&](const Argument& argument) {
    return HostBuffers::Create(std::vector{argument}, &regions_).status().code();
  };
  Argument negative = Bytes({2});
  negative.tensor->shape = {-2};
  EXPECT_EQ(code(negative), absl::StatusCode::kInvalidArgument);
  Argument short_contents = Bytes({4});
  short_contents.tensor->contents.pop_back();
  EXPECT_EQ(code(short_contents), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Bytes({2, 2}, {1})), absl::StatusCode::kInvalidArgument);
  Argument huge = Bytes({1});
  huge.tensor->contents.clear();
  huge.tensor->shape = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_EQ(code(huge), absl::StatusCode::kInvalidArgument);
}

TEST_F(Buffers, LeaveNoRegionsBehind) {
  Make({Bytes({3})});
  EXPECT_FALSE(regions_.All().empty());
  buffers_.reset();
  EXPECT_TRUE(regions_.All().empty());
}

}  // namespace
}  // namespace irate::contract
