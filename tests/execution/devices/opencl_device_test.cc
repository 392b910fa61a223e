// The OpenCL device, on whatever implementation this machine has.
#include "execution/devices/opencl_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace irate::devices {
namespace {

constexpr char kAdd[] = R"(
__kernel void k(__global int* C, __global const int* A, int n) {
  int i = get_group_id(0) * 4 + get_local_id(0);
  if (i < n) C[i] = A[i] + n;
})";

TEST(OpenClDeviceTest, RunsAKernel) {
  auto made = MakeOpenClDevice();
  if (!made.ok()) GTEST_SKIP() << "skipped: " << made.status().message();
  Device& device = **made;
  EXPECT_THAT(device.Describe(), ::testing::HasSubstr("OpenCL C on"));
  std::vector<int32_t> values = {1, 2, 3, 4, 5, 6};
  const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(values.data()),
                                 values.size() * sizeof(int32_t));
  const auto a = device.Allocate(bytes.size(), "A");
  const auto c = device.Allocate(bytes.size(), "C");
  ASSERT_TRUE(a.ok() && c.ok());
  ASSERT_TRUE(device.CopyIn(*a, 0, bytes).ok());
  auto program = device.Load(kAdd, Language::kOpenClC);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_THAT((*program)->Kernels(), ::testing::ElementsAre("k"));
  const std::vector<KernelArgument> arguments = {{*c}, {*a}, {.bits = 6, .size = 4}};
  ASSERT_TRUE(
      device.Launch(**program, "k", {.groups = {2, 1, 1}, .items = {4, 1, 1}}, arguments).ok());
  ASSERT_TRUE(device.CopyOut(*c, 0, bytes).ok());
  EXPECT_THAT(values, ::testing::ElementsAre(7, 8, 9, 10, 11, 12));

  const auto wrong = device.Load("__kernel void k() { x = 1; }", Language::kOpenClC);
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.status().message()), ::testing::HasSubstr("error: "));
  EXPECT_EQ(device.Launch(**program, "other", {}, {}).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace irate::devices
