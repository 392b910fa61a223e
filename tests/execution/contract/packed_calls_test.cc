#include "execution/contract/packed_calls.h"

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

PackedAny Int(int64_t value) {
  PackedAny any;
  any.type_index = kInt;
  any.v_int64 = value;
  return any;
}

class Packed : public ::testing::Test {
 protected:
  void SetUp() override {
    errors_ = std::make_unique<ErrorState>(recorder_.Sink());
    auto calls = PackedCalls::Create({fault_}, &regions_, errors_.get(), recorder_.Sink());
    ASSERT_TRUE(calls.ok()) << calls.status();
    calls_ = *std::move(calls);
    PackedCallee sum;
    sum.arity = 2;
    sum.type_indices = {kInt, kInt};
    sum.body = [](const PackedAny* args, int32_t, PackedAny* result) {
      *result = Int(args[0].v_int64 + args[1].v_int64);
      return 0;
    };
    calls_->Register("sum", sum);
  }
  void* Handle(const char* name) {
    void* handle = nullptr;
    EXPECT_EQ(calls_->LookUp(calls_->library_context(), name, &handle, nullptr), 0);
    return handle;
  }

  Fault fault_ = Fault::kNone;
  RegionMap regions_;
  Recorder recorder_;
  std::unique_ptr<ErrorState> errors_;
  std::unique_ptr<PackedCalls> calls_;
};

TEST_F(Packed, CallsARegisteredFunction) {
  const PackedAny args[] = {Int(20), Int(22)};
  PackedAny result;
  EXPECT_EQ(calls_->Call(Handle("sum"), args, 2, &result, nullptr), 0);
  EXPECT_EQ(result.v_int64, 42);
  EXPECT_THAT(recorder_.reports(), IsEmpty()) << recorder_.Text();
}

TEST_F(Packed, CountAndTypesAreCompared) {
  PackedAny args[] = {Int(1), Int(2), Int(3)};
  PackedAny result;
  EXPECT_EQ(calls_->Call(Handle("sum"), args, 1, &result, nullptr), -1);
  EXPECT_EQ(calls_->Call(Handle("sum"), args, 3, &result, nullptr), 0);
  args[1].type_index = kFloat;
  result = {};
  EXPECT_EQ(calls_->Call(Handle("sum"), args, 2, &result, nullptr), -1);
  ASSERT_THAT(recorder_.Clauses(),
              ElementsAre(Clause::kPackedArgumentCount, Clause::kPackedArgumentCount,
                          Clause::kPackedArgumentType));
  EXPECT_EQ(recorder_.reports()[0].text, "the call of 'sum' passes 1 arguments, but it reads 2");
  EXPECT_THAT(recorder_.reports()[2].text,
              HasSubstr("passes float as argument 1, but it reads int"));
}

TEST_F(Packed, ResultMustBeNoneOnEntry) {
  const PackedAny args[] = {Int(1), Int(2)};
  PackedAny result = Int(7);
  calls_->Call(Handle("sum"), args, 2, &result, nullptr);
  EXPECT_THAT(recorder_.Clauses(), ElementsAre(Clause::kPackedResultSlot));
}

TEST_F(Packed, ArgumentsOutsideOfTheArray) {
  if (!AsanPresent()) GTEST_SKIP() << "needs AddressSanitizer";
  auto args = std::make_unique<PackedAny[]>(1);
  args[0] = Int(1);
  PackedAny result;
  EXPECT_EQ(calls_->Call(Handle("sum"), args.get(), 2, &result, nullptr), -1);
  ASSERT_THAT(recorder_.Clauses(), ElementsAre(Clause::kPackedArgumentMemory));
  EXPECT_THAT(recorder_.reports()[0].text, HasSubstr("argument 1 lies outside of the array"));
}

TEST_F(Packed, CalleesReadACopyThatEndsWithTheLastArgument) {
  PackedCallee look;
  look.body = [](const PackedAny* args, int32_t count, PackedAny*) {
    if (!AsanPresent()) return 0;
    return FirstPoisoned(args + count, 1) == args + count &&
                   FirstPoisoned(args, static_cast<size_t>(count) * sizeof(PackedAny)) == nullptr
               ? 0
               : -1;
  };
  calls_->Register("look", look);
  const PackedAny args[] = {Int(1), Int(2), Int(3)};
  PackedAny result;
  EXPECT_EQ(calls_->Call(Handle("look"), args, 3, &result, nullptr), 0);
}

TEST_F(Packed, NamesThatNobodyDefined) {
  void* handle = nullptr;
  EXPECT_EQ(calls_->LookUp(calls_->library_context(), "none", &handle, nullptr), -1);
  EXPECT_EQ(calls_->LookUp(nullptr, "sum", &handle, nullptr), 0);
  EXPECT_THAT(recorder_.Clauses(),
              ElementsAre(Clause::kPackedUnknownFunction, Clause::kLibraryContext));
  EXPECT_TRUE(errors_->Get().raised);
}

TEST_F(Packed, HandlesThatAreNone) {
  PackedAny result;
  int other = 0;
  EXPECT_EQ(calls_->Call(&other, nullptr, 0, &result, nullptr), -1);
  EXPECT_EQ(calls_->Call(Handle("sum"), nullptr, -1, &result, nullptr), -1);
  EXPECT_THAT(recorder_.Clauses(), ElementsAre(Clause::kPackedHandle, Clause::kPackedHandle));
}

TEST_F(Packed, FunctionsOfTheModuleByNameAndConvention) {
  calls_->set_module_lookup([](const std::string& name) -> std::optional<ModuleFunction> {
    if (name == "good") {
      return ModuleFunction{[](void*, const PackedAny* args, int32_t, PackedAny* result) {
                              *result = args[0];
                              return 0;
                            },
                            true, ""};
    }
    if (name == "kernel") return ModuleFunction{nullptr, false, "a function void (ptr)"};
    return std::nullopt;
  });
  const PackedAny args[] = {Int(5)};
  PackedAny result;
  EXPECT_EQ(calls_->Call(Handle("good"), args, 1, &result, nullptr), 0);
  EXPECT_EQ(result.v_int64, 5);
  void* handle = nullptr;
  EXPECT_EQ(calls_->LookUp(calls_->library_context(), "kernel", &handle, nullptr), -1);
  ASSERT_THAT(recorder_.Clauses(), ElementsAre(Clause::kPackedCallingConvention));
  EXPECT_THAT(recorder_.reports()[0].text, HasSubstr("it is a function void (ptr)"));
}

TEST_F(Packed, InitOnceFillsASlotOnceAndFinishClearsIt) {
  static int calls = 0;
  calls = 0;
  static int object = 0;
  const auto init = [](void** handle) {
    ++calls;
    *handle = &object;
    return 0;
  };
  void* slot = nullptr;
  EXPECT_EQ(calls_->InitOnce(&slot, init, nullptr), 0);
  EXPECT_EQ(calls_->InitOnce(&slot, init, nullptr), 0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(slot, &object);
  calls_->Finish();
  EXPECT_EQ(slot, nullptr);
  EXPECT_EQ(calls_->InitOnce(nullptr, init, nullptr), -1);
}

class PackedDrop : public Packed {
 protected:
  PackedDrop() { fault_ = Fault::kPackedDropArgument; }
};

TEST_F(PackedDrop, FaultDropsOneAndTheCountTells) {
  const PackedAny args[] = {Int(1), Int(2)};
  PackedAny result;
  calls_->Call(Handle("sum"), args, 2, &result, nullptr);
  EXPECT_TRUE(calls_->fault_triggered());
  EXPECT_THAT(recorder_.Clauses(), ElementsAre(Clause::kPackedArgumentCount));
}

}  // namespace
}  // namespace irate::contract
