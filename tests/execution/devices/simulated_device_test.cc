// The simulated device on small kernels: each kind of mistake is seen and named, and the same
// kernel without it raises nothing.
#include "execution/devices/simulated/simulated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace irate::devices {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::span<const uint8_t> Bytes(const std::vector<int32_t>& values) {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(int32_t)};
}

KernelArgument Scalar(int32_t value) {
  return {.bits = std::bit_cast<uint32_t>(value), .size = sizeof(value)};
}

class SimulatedDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = MakeSimulatedDevice();
    ASSERT_TRUE(made.ok()) << made.status();
    device_ = *std::move(made);
  }

  void* Buffer(const std::string& name, const std::vector<int32_t>& values) {
    auto memory = device_->Allocate(values.size() * sizeof(int32_t), name);
    EXPECT_TRUE(memory.ok());
    EXPECT_TRUE(device_->CopyIn(*memory, 0, Bytes(values)).ok());
    return *memory;
  }

  std::vector<int32_t> Read(void* memory, size_t count) {
    std::vector<int32_t> values(count);
    EXPECT_TRUE(device_
                    ->CopyOut(memory, 0,
                              {reinterpret_cast<uint8_t*>(values.data()), count * sizeof(int32_t)})
                    .ok());
    return values;
  }

  // Loads `source` and launches its kernel `k`.
  absl::Status Run(const std::string& source, const LaunchShape& shape,
                   const std::vector<KernelArgument>& arguments) {
    auto program = device_->Load(source, Language::kOpenClC);
    EXPECT_TRUE(program.ok()) << program.status();
    if (!program.ok()) return program.status();
    return device_->Launch(**program, "k", shape, arguments);
  }

  // The kinds of the reports since the last call.
  std::vector<std::string> Kinds() {
    std::vector<std::string> kinds;
    reports_ = device_->TakeReports();
    for (const DeviceReport& report : reports_) {
      if (kinds.empty() || kinds.back() != report.kind) kinds.push_back(report.kind);
    }
    return kinds;
  }

  std::unique_ptr<Device> device_;
  std::vector<DeviceReport> reports_;
};

constexpr char kAdd[] = R"(
__kernel void k(__global int* restrict C, __global const int* restrict A, int n) {
  int i = (convert_int(get_group_id(0)) * 4) + convert_int(get_local_id(0));
  if (i < n) C[i] = A[i] + 1;
})";

TEST_F(SimulatedDeviceTest, RunsEveryItemOfEveryGroup) {
  void* a = Buffer("A", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  void* c = Buffer("C", std::vector<int32_t>(10, -1));
  ASSERT_TRUE(Run(kAdd, {.groups = {3, 1, 1}, .items = {4, 1, 1}}, {{c}, {a}, Scalar(10)}).ok());
  EXPECT_THAT(Kinds(), IsEmpty());
  EXPECT_THAT(Read(c, 10), ::testing::ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST_F(SimulatedDeviceTest, NamesTheBufferThatIsReadPastItsEnd) {
  void* a = Buffer("A", {1, 2, 3});
  void* c = Buffer("C", {0, 0, 0, 0});
  EXPECT_EQ(Run(kAdd, {.items = {4, 1, 1}}, {{c}, {a}, Scalar(4)}).code(),
            absl::StatusCode::kAborted);
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("memory.out-of-bounds.read.global"));
  EXPECT_THAT(reports_[0].detail, HasSubstr("4 bytes at byte 12 of global buffer A, which has 12"));
  EXPECT_THAT(reports_[0].detail, HasSubstr("work-item (3, 0, 0) of group (0, 0, 0)"));
  EXPECT_THAT(reports_[0].place, HasSubstr("C[i] = A[i] + 1"));
}

TEST_F(SimulatedDeviceTest, SeesWritesBeforeTheBeginning) {
  void* c = Buffer("C", {0, 0});
  EXPECT_FALSE(
      Run("__kernel void k(__global int* C) { C[get_local_id(0) - 1] = 1; }", {}, {{c}}).ok());
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("memory.out-of-bounds.write.global"));
}

TEST_F(SimulatedDeviceTest, IsUsableAfterAStop) {
  void* c = Buffer("C", {0, 0});
  EXPECT_FALSE(Run("__kernel void k(__global int* C) { C[9] = 1; }", {}, {{c}}).ok());
  Kinds();
  EXPECT_TRUE(Run("__kernel void k(__global int* C) { C[1] = 7; }", {}, {{c}}).ok());
  EXPECT_THAT(Kinds(), IsEmpty());
  EXPECT_EQ(Read(c, 2)[1], 7);
}

std::string Reverse(const std::string& size, const std::string& barrier) {
  return "__kernel void k(__global int* C) { __local int s[" + size +
         "]; int i = get_local_id(0); s[i] = i; " + barrier + " C[i] = s[7 - i]; }";
}

TEST_F(SimulatedDeviceTest, SharedMemoryBehindABarrierIsSound) {
  void* c = Buffer("C", std::vector<int32_t>(8));
  ASSERT_TRUE(Run(Reverse("8", "barrier(CLK_LOCAL_MEM_FENCE);"), {.items = {8, 1, 1}}, {{c}}).ok());
  EXPECT_THAT(Kinds(), IsEmpty());
  EXPECT_THAT(Read(c, 8), ::testing::ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

TEST_F(SimulatedDeviceTest, ABarrierThatIsMissingIsARace) {
  void* c = Buffer("C", std::vector<int32_t>(8));
  Run(Reverse("8", ""), {.items = {8, 1, 1}}, {{c}}).IgnoreError();
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("order.race.shared"));
}

TEST_F(SimulatedDeviceTest, ASharedArrayThatIsTooShortIsNamed) {
  void* c = Buffer("C", std::vector<int32_t>(8));
  EXPECT_FALSE(
      Run(Reverse("7", "barrier(CLK_LOCAL_MEM_FENCE);"), {.items = {8, 1, 1}}, {{c}}).ok());
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("memory.out-of-bounds.write.shared"));
  EXPECT_THAT(reports_[0].detail, HasSubstr("byte 28 of shared buffer s, which has 28"));
}

TEST_F(SimulatedDeviceTest, SeesABarrierInADivergentBranch) {
  void* c = Buffer("C", std::vector<int32_t>(8));
  EXPECT_FALSE(Run("__kernel void k(__global int* C) { int i = get_local_id(0);"
                   "if (i < 3) barrier(CLK_LOCAL_MEM_FENCE); C[i] = i; }",
                   {.items = {8, 1, 1}}, {{c}})
                   .ok());
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("order.divergence"));
  EXPECT_THAT(reports_[0].detail, HasSubstr("3 work-items wait at a barrier, 5 have ended"));
}

TEST_F(SimulatedDeviceTest, SeesDifferentBarriers) {
  void* c = Buffer("C", std::vector<int32_t>(8));
  EXPECT_FALSE(Run("__kernel void k(__global int* C) { int i = get_local_id(0);\n"
                   "if (i < 3) barrier(CLK_LOCAL_MEM_FENCE);\n else barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "C[i] = i; }",
                   {.items = {8, 1, 1}}, {{c}})
                   .ok());
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("order.divergence"));
}

TEST_F(SimulatedDeviceTest, GroupsMustNotMeet) {
  void* c = Buffer("C", {0, 0, 0, 0});
  Run("__kernel void k(__global int* C) { C[get_group_id(0) / 2] = get_group_id(0) + 1; }",
      {.groups = {4, 1, 1}}, {{c}})
      .IgnoreError();
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("order.race.global"));
}

TEST_F(SimulatedDeviceTest, StoresOfOneValueByAllAreNoRace) {
  void* c = Buffer("C", {0});
  ASSERT_TRUE(
      Run("__kernel void k(__global int* C) { C[0] = 5; }", {.items = {8, 1, 1}}, {{c}}).ok());
  EXPECT_THAT(Kinds(), IsEmpty());
}

TEST_F(SimulatedDeviceTest, SharedMemoryThatNobodyWroteShows) {
  void* c = Buffer("C", std::vector<int32_t>(2));
  Run("__kernel void k(__global int* C) { __local int s[2]; C[get_local_id(0)] = s[1]; }",
      {.items = {2, 1, 1}}, {{c}})
      .IgnoreError();
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("order.dependent"));
}

TEST_F(SimulatedDeviceTest, PrivateArraysHaveBounds) {
  void* c = Buffer("C", {0, 4});
  EXPECT_FALSE(
      Run("__kernel void k(__global int* C) { int p[4]; for (int i = 0; i < 4; ++i) p[i] = i;"
          "C[0] = p[C[1]]; }",
          {}, {{c}})
          .ok());
  ASSERT_THAT(Kinds(), ::testing::ElementsAre("memory.out-of-bounds.read.private"));
}

TEST_F(SimulatedDeviceTest, DivisionByZeroDoesNotTrap) {
  void* c = Buffer("C", {7, 0, -1, std::numeric_limits<int32_t>::min()});
  ASSERT_TRUE(Run("__kernel void k(__global int* C) { C[0] = C[0] / C[1]; C[1] = C[3] / C[2];"
                  "C[3] = C[3] % C[2]; }",
                  {}, {{c}})
                  .ok());
  EXPECT_THAT(Read(c, 4), ::testing::ElementsAre(0, std::numeric_limits<int32_t>::min(), -1, 0));
}

TEST_F(SimulatedDeviceTest, WhatDoesNotCompileIsToldFromWhatIsUnknownHere) {
  const auto wrong =
      device_->Load("__kernel void k(__global int* C) { C[0] = x; }", Language::kOpenClC);
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.status().message()), HasSubstr("undeclared identifier 'x'"));
  const auto unknown = device_->Load(
      "__kernel void k(__global int* C) { C[0] = mul_hi(C[0], C[1]); }", Language::kOpenClC);
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("mul_hi(int, int)"));
}

TEST_F(SimulatedDeviceTest, ArgumentsMustFitTheParameters) {
  void* c = Buffer("C", {0});
  auto program = device_->Load(kAdd, Language::kOpenClC);
  ASSERT_TRUE(program.ok());
  const std::vector<KernelArgument> swapped = {{c}, Scalar(1), {c}};
  EXPECT_EQ(device_->Launch(**program, "k", {}, swapped).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(device_->Launch(**program, "other", {}, {}).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(SimulatedDeviceTest, VectorsMathAndConversions) {
  void* c = Buffer("C", {1, 2, 3, 4, 0, 0, 0, 0});
  ASSERT_TRUE(Run("__kernel void k(__global int* C) { int4 v = vload4(0, C);"
                  "float4 f = sqrt(convert_float4(v * v)); v = select(v, convert_int4(f) + 10,"
                  "v > (int4)(2)); vstore4(max(v, (int4)(2)), 1, C); }",
                  {}, {{c}})
                  .ok());
  EXPECT_THAT(Read(c, 8), ::testing::ElementsAre(1, 2, 3, 4, 2, 2, 13, 14));
  EXPECT_THAT(Kinds(), IsEmpty());
}

// Bytes of this process that are resident.
size_t Resident() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(SimulatedDeviceTest, ManyKernelsLeaveNothingBehind) {
  const auto run = [this](int count) {
    for (int i = 0; i < count; ++i) {
      void* c = Buffer("C", std::vector<int32_t>(8));
      const std::string source =
          Reverse("8", "barrier(CLK_LOCAL_MEM_FENCE);") + "// " + std::to_string(i);
      ASSERT_TRUE(Run(source, {.items = {8, 1, 1}}, {{c}}).ok());
      device_->Reset();
    }
  };
  run(40);
  const size_t before = Resident();
  run(60);
  // AddressSanitizer's quarantine of freed memory is full by then; what still grows is lost.
  EXPECT_LT(Resident(), before + (size_t{24} << 20));
}

}  // namespace
}  // namespace irate::devices
