// Every intrinsic that a source program may call agrees with the interpreter, or is refused by
// name.
#include <set>

#include "agreement.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/intrinsics.h"
#include "ir/types.h"
#include "ir/verify.h"
#include "targets/c/printer.h"

namespace irate {
namespace {

using c_target_test::ElementwiseCase;
using c_target_test::ExpectAgreement;
using c_target_test::Values;

Expr CallOf(const Intrinsic& intrinsic, ScalarType result, uint32_t lanes,
            const std::vector<Expr>& args) {
  Expr call = build::Call(intrinsic.name, result, args);
  call.set_lanes(lanes <= 1 ? 0 : lanes);
  return call;
}

// The part of the real line where the function is defined and tame.
Values Domain(std::string_view name, ScalarType type, int k) {
  static const std::set<std::string_view> positive = {"log",  "log2",  "log10", "log1p",
                                                      "sqrt", "rsqrt", "pow",   "acosh"};
  Values values = {.type = type, .min = -1, .max = 1, .real = true};
  if (positive.count(name) > 0) values = {.type = type, .min = 1, .max = 2, .real = true};
  if (name == "fmod" && k == 1) values = {.type = type, .min = 3, .max = 4, .real = true};
  return values;
}

bool IsPrinted(const Case& one) { return PrintC(one.module()).ok(); }

TEST(IntrinsicsTest, MathAgreesOnEveryFloatType) {
  std::vector<Case> cases;
  std::set<std::string_view> refused;
  for (const Intrinsic& intrinsic : Intrinsics()) {
    if (intrinsic.kind != IntrinsicKind::kMath) continue;
    bool covered = false;
    for (const ScalarType type : {F16, BF16, F32, F64, F8E4M3FN, F8E5M2}) {
      for (const uint32_t lanes : {1u, 4u}) {
        std::vector<Values> inputs;
        for (int k = 0; k < intrinsic.min_args; ++k) {
          const bool is_exponent =
              intrinsic.signature == IntrinsicSignature::kFloatAndInt && k == 1;
          inputs.push_back(is_exponent ? Values{.type = I32, .min = -3, .max = 3}
                                       : Domain(intrinsic.name, type, k));
        }
        const ScalarType result =
            intrinsic.signature == IntrinsicSignature::kFloatTest ? BOOL : type;
        Case one = ElementwiseCase(std::string(intrinsic.name), inputs, lanes,
                                   [&](Function*, const std::vector<Expr>& args) {
                                     return CallOf(intrinsic, result, lanes, args);
                                   });
        ASSERT_TRUE(VerifyCase(one).ok()) << VerifyCase(one);
        if (!IsPrinted(one)) {
          refused.insert(intrinsic.name);
          continue;
        }
        covered = true;
        cases.push_back(std::move(one));
      }
    }
    EXPECT_TRUE(covered) << intrinsic.name;
  }
  EXPECT_THAT(refused, testing::IsEmpty());
  ExpectAgreement(cases);
}

TEST(IntrinsicsTest, IntegersAgreeOnEveryType) {
  std::vector<Case> cases;
  for (const std::string_view name : {"popcount", "ctpop", "clz"}) {
    for (const ScalarType type : {I8, I16, I32, I64, U8, U16, U32, U64}) {
      for (const uint32_t lanes : {1u, 4u}) {
        cases.push_back(ElementwiseCase(std::string(name), {{.type = type, .min = 1, .max = 100}},
                                        lanes, [&](Function*, const std::vector<Expr>& args) {
                                          return CallOf(*FindIntrinsic(name), type, lanes, args);
                                        }));
      }
    }
  }
  ExpectAgreement(cases);
}

TEST(IntrinsicsTest, QMultiplyShiftAgrees) {
  std::vector<Case> cases;
  for (const int shift : {-3, 0, 2}) {
    cases.push_back(ElementwiseCase("q_multiply_shift", {{.type = I32, .min = -1000, .max = 1000}},
                                    1, [&](Function*, const std::vector<Expr>& args) {
                                      return CallOf(*FindIntrinsic("q_multiply_shift"), I32, 1,
                                                    {args[0], build::I32Const(1395864371),
                                                     build::I32Const(31), build::I32Const(shift)});
                                    }));
  }
  ExpectAgreement(cases);
}

TEST(IntrinsicsTest, HintsChangeNothing) {
  ExpectAgreement(
      {ElementwiseCase("likely", {{I32}}, 1, [](Function*, const std::vector<Expr>& args) {
        Expr hint = build::Call("likely", BOOL, {build::Binary(LT, args[0], build::I32Const(3))});
        return build::Select(std::move(hint), args[0], build::I32Const(9));
      })});
}

TEST(IntrinsicsTest, WhatIsNotPrintedIsRefusedByName) {
  std::set<std::string> printed;
  for (const Intrinsic& intrinsic : Intrinsics()) {
    Module module;
    Function* function = module.add_functions();
    function->set_name("main");
    Expr call = build::Call(intrinsic.name, I32, {});
    for (int k = 0; k < intrinsic.min_args; ++k) *call.add_args() = build::I32Const(1);
    *function->add_body() = build::Evaluate(call);
    const absl::StatusOr<std::string> text = PrintC(module);
    if (text.ok()) {
      printed.insert(std::string(intrinsic.name));
    } else {
      EXPECT_EQ(text.status().code(), absl::StatusCode::kUnimplemented);
      EXPECT_THAT(std::string(text.status().message()),
                  testing::HasSubstr(std::string(intrinsic.name)));
    }
  }
  EXPECT_THAT(printed,
              testing::UnorderedElementsAre("assume", "clz", "ctpop", "handle_add_byte_offset",
                                            "isnullptr", "likely", "popcount", "ptr_byte_offset",
                                            "q_multiply_shift", "tvm_access_ptr"));
}

}  // namespace
}  // namespace irate
