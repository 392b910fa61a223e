#include "execution/contract/workspace.h"

#include <cstring>

#include "execution/contract/poison.h"
#include "execution/contract/task.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/contract/recorder.h"

namespace irate::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Workspace : public ::testing::Test {
 protected:
  void Make(Fault fault = Fault::kNone) {
    WorkspaceOptions options;
    options.fault = fault;
    options.capacity = 1 << 20;
    auto heap = WorkspaceHeap::Create(options, &regions_, recorder_.Sink());
    ASSERT_TRUE(heap.ok()) << heap.status();
    heap_ = *std::move(heap);
  }
  void* Allocate(uint64_t size) {
    return heap_->Allocate(kCpuDevice, 0, size, kFloatCode, 32, this);
  }
  int Free(void* pointer) { return heap_->Free(kCpuDevice, 0, pointer, this); }

  RegionMap regions_;
  Recorder recorder_;
  std::unique_ptr<WorkspaceHeap> heap_;
};

TEST_F(Workspace, NestedUseIsSilent) {
  Make();
  void* outer = Allocate(1000);
  void* inner = Allocate(1);
  void* empty = Allocate(0);
  EXPECT_NE(outer, nullptr);
  EXPECT_NE(empty, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(outer) % 128, 64u);
  std::memset(outer, 1, 1000);
  EXPECT_EQ(Free(empty), 0);
  EXPECT_EQ(Free(inner), 0);
  EXPECT_EQ(Free(outer), 0);
  heap_->Finish(true);
  EXPECT_THAT(recorder_.reports(), IsEmpty()) << recorder_.Text();
}

TEST_F(Workspace, HoldsTheFillPattern) {
  Make();
  EXPECT_EQ(*static_cast<uint8_t*>(Allocate(16)), 0xCB);
}

TEST_F(Workspace, IsARegionAndAFreedOneAfterwards) {
  Make();
  void* pointer = Allocate(100);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  ASSERT_TRUE(regions_.Find(address + 100));
  EXPECT_FALSE(regions_.Find(address)->freed);
  EXPECT_TRUE(regions_.Violates(address + 97, 4));
  EXPECT_FALSE(regions_.Violates(address + 96, 4));
  Free(pointer);
  EXPECT_TRUE(regions_.IsFreed(address));
  if (AsanPresent()) {
    EXPECT_EQ(FirstPoisoned(pointer, 100), pointer);
  }
}

TEST_F(Workspace, RequestsThatNobodyMakes) {
  Make();
  EXPECT_EQ(heap_->Allocate(kCudaDevice, 0, 16, kFloatCode, 32, nullptr) == nullptr, false);
  EXPECT_EQ(heap_->Allocate(kCpuDevice, 0, uint64_t{1} << 50, kFloatCode, 32, nullptr), nullptr);
  heap_->Allocate(kCpuDevice, 0, 16, 99, 32, nullptr);
  EXPECT_THAT(recorder_.Clauses(), ElementsAre(Clause::kWorkspaceDevice, Clause::kWorkspaceSize,
                                               Clause::kWorkspaceElementType));
}

TEST_F(Workspace, FreesThatDoNotPair) {
  Make();
  int other = 0;
  EXPECT_EQ(Free(&other), -1);
  void* pointer = Allocate(8);
  EXPECT_EQ(heap_->Free(kCudaDevice, 0, pointer, nullptr), 0);
  EXPECT_EQ(Free(pointer), -1);
  EXPECT_THAT(recorder_.Clauses(),
              ElementsAre(Clause::kWorkspaceUnknownFree, Clause::kWorkspaceDevice,
                          Clause::kWorkspaceDoubleFree));
}

TEST_F(Workspace, OrderOfFrees) {
  Make();
  void* outer = Allocate(8);
  void* inner = Allocate(8);
  Free(outer);
  Free(inner);
  ASSERT_THAT(recorder_.Clauses(), ElementsAre(Clause::kWorkspaceOrder));
  EXPECT_THAT(recorder_.reports()[0].text,
              HasSubstr("workspace #0 was freed while workspace #1, allocated after it, is alive"));
}

TEST_F(Workspace, FreedByAnotherTask) {
  Make();
  void* pointer = Allocate(8);
  current_task = {1, 2, 0, 0, 0};
  Free(pointer);
  current_task = {};
  EXPECT_THAT(recorder_.Clauses(), ElementsAre(Clause::kWorkspaceTask));
}

TEST_F(Workspace, LeaksCountOnlyAfterSuccess) {
  Make();
  Allocate(8);
  heap_->Finish(false);
  EXPECT_THAT(recorder_.reports(), IsEmpty());
  heap_->Finish(true);
  ASSERT_THAT(recorder_.Clauses(), ElementsAre(Clause::kWorkspaceLeak));
  EXPECT_EQ(recorder_.reports()[0].caller, this);
}

__attribute__((no_sanitize("address"))) void Smash(uint8_t* byte) { *byte ^= 1; }

TEST_F(Workspace, WritesOfUninstrumentedCodeAreFoundAfterwards) {
  Make();
  auto* pointer = static_cast<uint8_t*>(Allocate(8));
  Smash(pointer + 9);
  Free(pointer);
  heap_->Finish(true);
  ASSERT_THAT(recorder_.Clauses(), ElementsAre(Clause::kRedZone));
  EXPECT_EQ(recorder_.reports()[0].value, 9);
}

TEST_F(Workspace, FaultsMisalign) {
  for (const auto& [fault, remainder] :
       {std::pair{Fault::kWorkspaceAlign16, 16u}, std::pair{Fault::kWorkspaceAlign32, 32u},
        std::pair{Fault::kWorkspaceOffByOne, 1u}}) {
    Recorder recorder;
    RegionMap regions;
    WorkspaceOptions options;
    options.fault = fault;
    auto heap = WorkspaceHeap::Create(options, &regions, recorder.Sink());
    ASSERT_TRUE(heap.ok());
    void* pointer = (*heap)->Allocate(kCpuDevice, 0, 64, kFloatCode, 32, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % (remainder == 1 ? 64 : 2 * remainder),
              remainder);
    EXPECT_TRUE((*heap)->fault_triggered());
    EXPECT_THAT(recorder.Clauses(), ElementsAre(Clause::kWorkspaceAlignment));
  }
}

TEST(Faults, NamesReadBack) {
  for (Fault fault : AllFaults()) {
    Fault parsed = Fault::kNone;
    ASSERT_TRUE(ParseFault(FaultName(fault), &parsed).ok());
    EXPECT_EQ(parsed, fault);
  }
  Fault fault = Fault::kNone;
  const absl::Status unknown = ParseFault("workspace-align-17", &fault);
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("workspace-align-16"));
}

}  // namespace
}  // namespace irate::contract
