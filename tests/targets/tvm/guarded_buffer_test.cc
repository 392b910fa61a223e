#include "targets/tvm/guarded_buffer.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "targets/tvm/tensor_argument.h"

namespace irate::tvm_target {
namespace {

using Side = GuardedBuffer::Side;

std::unique_ptr<GuardedBuffer> Make(size_t size, size_t alignment, Side side) {
  return GuardedBuffer::Create(size, alignment, side).value();
}

TEST(GuardedBufferTest, KeepsTheAlignment) {
  for (Side side : {Side::kBegin, Side::kEnd}) {
    for (size_t size : {0, 1, 3, 64, 100, 4096, 5000}) {
      const auto buffer = Make(size, 64, side);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0U) << size;
      std::memset(buffer->data(), 0, size);
      EXPECT_EQ(buffer->SmashedBefore(), 0U) << size;
      EXPECT_EQ(buffer->SmashedAfter(), 0U) << size;
    }
  }
  EXPECT_FALSE(GuardedBuffer::Create(8, 48, Side::kEnd).ok());
  EXPECT_FALSE(GuardedBuffer::Create(8, 1 << 20, Side::kEnd).ok());
}

TEST(GuardedBufferTest, WritesIntoTheSlackAreCounted) {
  const auto buffer = Make(100, 64, Side::kEnd);
  buffer->data()[100] = 1;
  buffer->data()[101] = 2;
  buffer->data()[-1] = 3;
  EXPECT_EQ(buffer->SmashedAfter(), 2U);
  EXPECT_EQ(buffer->SmashedBefore(), 1U);
}

TEST(GuardedBufferDeathTest, BeyondThePageIsAFault) {
  const auto end = Make(128, 64, Side::kEnd);
  EXPECT_DEATH(end->data()[128] = 1, "");
  const auto begin = Make(128, 64, Side::kBegin);
  EXPECT_DEATH(begin->data()[-1] = 1, "");
}

class TensorArgumentTest : public ::testing::Test {
 protected:
  TensorArgumentTest() {
    buffer_.set_name("B");
    buffer_.set_type(I32);
    layout_.shape = {2, 3};
    layout_.strides = {5, 1};
    layout_.elem_offset = 4;
    layout_.elements = 6;
    layout_.span = 12;
    values_.set_type(I32);
    values_.add_shape(2);
    values_.add_shape(3);
    for (int32_t i = 0; i < 6; ++i) {
      values_.mutable_data()->append(reinterpret_cast<const char*>(&i), sizeof(i));
    }
    argument_ = TensorArgument::Create(buffer_, layout_, values_, Side::kEnd).value();
  }
  int32_t* data() { return static_cast<int32_t*>(argument_->tensor()->data); }

  Buffer buffer_;
  BufferLayout layout_;
  Tensor values_;
  std::unique_ptr<TensorArgument> argument_;
};

TEST_F(TensorArgumentTest, FollowsTheLayout) {
  const DLTensor& tensor = *argument_->tensor();
  EXPECT_EQ(tensor.ndim, 2);
  EXPECT_EQ(tensor.shape[1], 3);
  EXPECT_EQ(tensor.strides[0], 5);
  EXPECT_EQ(tensor.byte_offset, 16U);
  EXPECT_EQ(tensor.dtype.code, kDLInt);
  EXPECT_EQ(data()[4], 0);
  EXPECT_EQ(data()[4 + 5 + 2], 5);
  EXPECT_EQ(argument_->Collect().SerializeAsString(), values_.SerializeAsString());
  EXPECT_EQ(argument_->Violation(), "");
}

TEST_F(TensorArgumentTest, CollectsWhatWasWritten) {
  data()[4 + 5] = 77;
  EXPECT_EQ(argument_->Violation(), "");
  int32_t element = 0;
  std::memcpy(&element, argument_->Collect().data().data() + 3 * sizeof(element), sizeof(element));
  EXPECT_EQ(element, 77);
}

TEST_F(TensorArgumentTest, WritesOutsideTheElementsAreReported) {
  data()[4 + 3] = 1;
  EXPECT_EQ(argument_->Violation(), "wrote 4 bytes between the elements of parameter 'B'");
  data()[-1] = 1;
  EXPECT_EQ(argument_->Violation(), "wrote 4 bytes before the beginning of parameter 'B'");
  data()[12] = 1;
  EXPECT_EQ(argument_->Violation(), "wrote 4 bytes past the end of parameter 'B'");
}

}  // namespace
}  // namespace irate::tvm_target
