#include "execution/contract/guarded_memory.h"

#include <set>
#include <utility>

#include "execution/contract/poison.h"
#include "gtest/gtest.h"

namespace irate::contract {
namespace {

// Writes where AddressSanitizer would stop an instrumented write.
__attribute__((no_sanitize("address"))) void Smash(uintptr_t address) {
  *reinterpret_cast<volatile uint8_t*>(address) ^= 0xFF;
}
__attribute__((no_sanitize("address"))) uint8_t Touch(uintptr_t address) {
  return *reinterpret_cast<volatile uint8_t*>(address);
}

TEST(GuardedBlock, IsAlignedExactlyAndHasItsExactSize) {
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    for (size_t size : {0, 1, 7, 64, 4096, 10000}) {
      auto block = GuardedBlock::Create(size, alignment);
      ASSERT_TRUE(block.ok()) << block.status();
      const GuardedSpan& span = block->span();
      EXPECT_EQ(span.begin % (2 * alignment), alignment);
      EXPECT_EQ(span.end - span.begin, size);
      EXPECT_EQ(FirstPoisoned(block->data(), size), nullptr);
      EXPECT_GE(span.begin - span.canary_begin, 256u);
      EXPECT_GE(span.canary_end - span.end, 64u);
      if (AsanPresent()) {
        EXPECT_EQ(FirstPoisoned(block->data() + size, 1), block->data() + size);
      }
    }
  }
}

TEST(GuardedBlock, RefusesAlignmentsThatAreNone) {
  EXPECT_EQ(GuardedBlock::Create(8, 0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(GuardedBlock::Create(8, 24).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(GuardedBlock::Create(8, 8192).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(GuardedBlock, CanariesTellTheFirstChangedByte) {
  auto block = GuardedBlock::Create(100, 64);
  ASSERT_TRUE(block.ok());
  const GuardedSpan span = block->span();
  EXPECT_EQ(FirstChangedCanary(span), 0u);
  Smash(span.end + 3);
  EXPECT_EQ(FirstChangedCanary(span), span.end + 3);
  Smash(span.begin - 1);
  EXPECT_EQ(FirstChangedCanary(span), span.begin - 1);
}

TEST(GuardedBlockDeathTest, GuardPagesReachMegabytesFar) {
  auto block = GuardedBlock::Create(100, 64);
  ASSERT_TRUE(block.ok());
  const GuardedSpan span = block->span();
  EXPECT_DEATH(Touch(span.end + (size_t{4} << 20)), "");
  EXPECT_DEATH(Touch(span.begin - (size_t{4} << 20)), "");
}

TEST(GuardedBlock, MovedFromOwnsNothing) {
  auto block = GuardedBlock::Create(16, 8);
  ASSERT_TRUE(block.ok());
  GuardedBlock other = *std::move(block);
  other.data()[15] = 1;
  EXPECT_EQ(other.data()[15], 1);
}

TEST(GuardedArena, HandsOutNothingTwiceUntilReset) {
  auto arena = GuardedArena::Create(1 << 20);
  ASSERT_TRUE(arena.ok());
  std::set<uintptr_t> seen;
  for (int i = 0; i < 100; ++i) {
    auto span = arena->Allocate(1000, 64);
    ASSERT_TRUE(span.ok());
    EXPECT_EQ(span->begin % 128, 64u);
    EXPECT_TRUE(seen.insert(span->begin).second);
    EXPECT_EQ(FirstPoisoned(reinterpret_cast<void*>(span->begin), 1000), nullptr);
  }
  const uintptr_t first = *seen.begin();
  arena->Reset();
  if (AsanPresent()) {
    EXPECT_NE(FirstPoisoned(reinterpret_cast<void*>(first), 1000), nullptr);
  }
  EXPECT_EQ(arena->Allocate(1000, 64)->begin, first);
}

TEST(GuardedArena, SaysWhenItIsFull) {
  auto arena = GuardedArena::Create(8192);
  ASSERT_TRUE(arena.ok());
  EXPECT_EQ(arena->Allocate(1 << 20, 64).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(arena->Allocate(4096, 64).ok());
  EXPECT_EQ(arena->Allocate(4096, 64).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(GuardedArena, OffsetMisalignsOnPurpose) {
  auto arena = GuardedArena::Create(1 << 16);
  ASSERT_TRUE(arena.ok());
  EXPECT_EQ(arena->Allocate(10, 64, 1)->begin % 64, 1u);
  EXPECT_EQ(arena->Allocate(10, 16)->begin % 32, 16u);
}

}  // namespace
}  // namespace irate::contract
