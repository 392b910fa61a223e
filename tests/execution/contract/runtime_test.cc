#include "execution/contract/runtime.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename Function>
Function* Symbol(std::string_view name) {
  for (const RuntimeSymbol& symbol : RuntimeSymbols()) {
    if (symbol.name == name) return reinterpret_cast<Function*>(symbol.address);
  }
  return nullptr;
}

std::unique_ptr<Runtime> Make() {
  auto runtime = Runtime::Create();
  EXPECT_TRUE(runtime.ok()) << runtime.status();
  return *std::move(runtime);
}

std::vector<Clause> Clauses(Runtime& runtime) {
  std::vector<Clause> clauses;
  for (const ContractReport& report : runtime.TakeReports()) clauses.push_back(report.clause);
  return clauses;
}

TEST(Runtime, SymbolsReachTheActiveRuntime) {
  auto* allocate = Symbol<void*(int, int, uint64_t, int, int)>("TVMBackendAllocWorkspace");
  auto* release = Symbol<int(int, int, void*)>("TVMBackendFreeWorkspace");
  EXPECT_EQ(allocate(kCpuDevice, 0, 16, kFloatCode, 32), nullptr) << "no runtime is active";
  auto runtime = Make();
  ASSERT_TRUE(runtime->Begin().ok());
  void* pointer = allocate(kCpuDevice, 0, 16, kFloatCode, 32);
  EXPECT_NE(pointer, nullptr);
  EXPECT_EQ(release(kCpuDevice, 0, pointer), 0);
  runtime->Finish(0);
  EXPECT_THAT(Clauses(*runtime), IsEmpty());
  EXPECT_EQ(allocate(kCpuDevice, 0, 16, kFloatCode, 32), nullptr);
}

TEST(Runtime, OneAtATime) {
  auto first = Make();
  auto second = Make();
  ASSERT_TRUE(first->Begin().ok());
  EXPECT_EQ(second->Begin().code(), absl::StatusCode::kFailedPrecondition);
  first->Finish(0);
  EXPECT_TRUE(second->Begin().ok());
}

TEST(Runtime, ErrorsAndReturnValuesMustAgree) {
  auto* set = Symbol<void(const char*, const char*)>("TVMFFIErrorSetRaisedFromCStr");
  auto* parts =
      Symbol<void(const char*, const char**, int32_t)>("TVMFFIErrorSetRaisedFromCStrParts");
  auto runtime = Make();
  ASSERT_TRUE(runtime->Begin().ok());
  const char* pieces[] = {"a", nullptr, "b"};
  parts("TypeError", pieces, 3);
  EXPECT_EQ(runtime->errors().Get().message, "ab");
  runtime->Finish(-1);
  EXPECT_THAT(Clauses(*runtime), IsEmpty());

  ASSERT_TRUE(runtime->Begin().ok());
  runtime->Finish(-1);
  EXPECT_THAT(Clauses(*runtime), ElementsAre(Clause::kErrorMissing));

  ASSERT_TRUE(runtime->Begin().ok());
  set("ValueError", "x");
  runtime->Finish(0);
  EXPECT_THAT(Clauses(*runtime), ElementsAre(Clause::kErrorIgnored));

  ASSERT_TRUE(runtime->Begin().ok());
  set(nullptr, "x");
  parts("E", nullptr, 2);
  runtime->Finish(-1);
  EXPECT_THAT(Clauses(*runtime), ElementsAre(Clause::kErrorArguments, Clause::kErrorArguments));

  // A run that was cut short says nothing about what it would have done.
  ASSERT_TRUE(runtime->Begin().ok());
  set("ValueError", "x");
  runtime->Finish(0, /*aborted=*/true);
  EXPECT_THAT(Clauses(*runtime), IsEmpty());
}

TEST(Runtime, ACallThatBreaksAClauseAgainIsCountedOnce) {
  auto runtime = Make();
  ASSERT_TRUE(runtime->Begin().ok());
  int here = 0;
  for (int i = 0; i < 1000; ++i) runtime->Report({Clause::kRace, "x", i, &here});
  EXPECT_EQ(runtime->TakeReports().size(), 1u);
}

}  // namespace
}  // namespace irate::contract
