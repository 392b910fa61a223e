// The first two founding reports in the IR after a pass: a kernel's convention on the host, and a
// packed call with one argument less than its callee demands.
#include "oracles/call_contract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void SetText(Function* function, const std::string& key, const std::string& text) {
  Attribute* attribute = function->add_attrs();
  attribute->set_key(key);
  attribute->mutable_value()->set_op(STRING);
  attribute->mutable_value()->set_name(text);
}

void SetConvention(Function* function, int64_t convention) {
  Attribute* attribute = function->add_attrs();
  attribute->set_key("calling_conv");
  *attribute->mutable_value() = build::I32Const(static_cast<int32_t>(convention));
}

Function* AddFunction(const std::string& name, Module* module) {
  Function* function = module->add_functions();
  function->set_name(name);
  return function;
}

// f(self, args, num_args, result), which demands `arity` arguments.
void AddPacked(const std::string& name, int arity, Module* module) {
  Function* function = AddFunction(name, module);
  const std::pair<const char*, ScalarType> params[] = {
      {"self", HANDLE}, {"args", HANDLE}, {"num_args", I32}, {"result", HANDLE}};
  for (const auto& [param, type] : params) {
    build::AddScalarParam(function, build::AddVariable(function, param, type));
  }
  Stmt* check = function->add_body();
  check->set_kind(ASSERT);
  Expr* equal = check->add_args();
  equal->set_op(EQ);
  equal->set_type(BOOL);
  *equal->add_args() = build::Var(*function, 2);
  *equal->add_args() = build::I32Const(arity);
}

void AddCall(const std::string& name, const std::vector<Expr>& args, Function* caller) {
  Stmt* stmt = caller->add_body();
  stmt->set_kind(EVALUATE);
  Expr* call = stmt->add_args();
  call->set_op(CALL);
  call->set_name(name);
  for (const Expr& arg : args) *call->add_args() = arg;
}

Expr Text(const std::string& text) {
  Expr expr;
  expr.set_op(STRING);
  expr.set_name(text);
  return expr;
}

Module PackedCall(int passed, int arity) {
  Module module;
  Function* caller = AddFunction("main", &module);
  AddCall("tvm_call_cpacked_lowered",
          {Text("region"), Text("stack"), build::I32Const(1), build::I32Const(1 + passed)}, caller);
  AddPacked("__tvm_ffi_region", arity, &module);
  return module;
}

Module Kernel(const std::string& target, int64_t convention) {
  Module module;
  Function* caller = AddFunction("main", &module);
  AddCall("@main_kernel", {}, caller);
  Function* kernel = AddFunction("main_kernel", &module);
  SetText(kernel, "target", target);
  SetConvention(kernel, convention);
  return module;
}

std::vector<std::string> Kinds(const Module& module) {
  std::vector<std::string> kinds;
  for (const CallFault& fault : CheckCalls(module)) kinds.push_back(fault.kind);
  return kinds;
}

TEST(CheckCallsTest, ArgumentsOfPackedCalls) {
  EXPECT_THAT(Kinds(PackedCall(3, 3)), IsEmpty());
  EXPECT_THAT(Kinds(PackedCall(2, 3)), ::testing::ElementsAre("packed-argument-count"));
  EXPECT_THAT(Kinds(PackedCall(4, 3)), ::testing::ElementsAre("packed-argument-count"));
}

TEST(CheckCallsTest, ConventionAgainstTarget) {
  const std::string host = R"({"kind": "llvm", "keys": ["cpu"]})";
  const std::string device = R"({"host": {"kind": "llvm"}, "kind": "cuda"})";
  EXPECT_THAT(Kinds(Kernel(host, 2)), ::testing::ElementsAre("calling-convention"));
  EXPECT_THAT(Kinds(Kernel(device, 2)), IsEmpty());
  EXPECT_THAT(Kinds(Kernel(R"({"kind": "cuda", "host": {"kind": "llvm"}})", 2)), IsEmpty());
  EXPECT_THAT(Kinds(Kernel(host, 0)), IsEmpty());
}

TEST(CheckCallsTest, WhatIsNoPackedFunctionIsNotCalledAsOne) {
  Module module = PackedCall(1, 1);
  module.mutable_functions(1)->mutable_params()->RemoveLast();
  EXPECT_THAT(Kinds(module), ::testing::ElementsAre("calling-convention"));
}

TEST(CheckCallsTest, CallsWithinTheModule) {
  Module module = Kernel("", 0);
  Function* callee = module.mutable_functions(1);
  build::AddScalarParam(callee, build::AddVariable(callee, "n", I32));
  EXPECT_THAT(Kinds(module), ::testing::ElementsAre("argument-count"));
}

TEST(CallContractTest, BlamesTheFirstPassAfterWhichItIsThere) {
  ObservationBuilder builder({1});
  builder.Changed("A", Defined({1})).Changed("tirx.transform.MakePackedAPI", Defined({1}));
  builder.Changed("B", Defined({1}));
  VariantObservation* variant = builder.get().mutable_variants(0);
  *variant->mutable_steps(1)->mutable_lifted() = PackedCall(3, 3);
  *variant->mutable_steps(2)->mutable_lifted() = PackedCall(2, 3);
  *variant->mutable_steps(3)->mutable_lifted() = PackedCall(2, 3);
  const std::vector<Finding> findings =
      MakeCallContractOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "tirx.transform.MakePackedAPI");
  EXPECT_EQ(findings[0].step(), 1);
  EXPECT_EQ(findings[0].shape(), "packed-argument-count");
  EXPECT_THAT(findings[0].summary(), HasSubstr("main passes 2 arguments to __tvm_ffi_region"));
  // What the program had before any pass is nobody's fault.
  *variant->mutable_steps(0)->mutable_lifted() = PackedCall(2, 3);
  *variant->mutable_steps(1)->mutable_lifted() = PackedCall(2, 3);
  EXPECT_THAT(MakeCallContractOracle()->Judge(StrictCase(), builder.get(), 0), IsEmpty());
}

}  // namespace
}  // namespace irate
