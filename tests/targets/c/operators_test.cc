// Every operator on every type that the verifier lets it have, scalar and vector: printed, compiled
// and run, it agrees with the interpreter. The enums are walked by reflection, so that a new
// operator or type without C fails here.
#include <map>
#include <set>

#include "agreement.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/types.h"
#include "ir/verify.h"
#include "targets/c/printer.h"

namespace irate {
namespace {

using c_target_test::ElementwiseCase;
using c_target_test::ExpectAgreement;
using c_target_test::Values;

std::vector<ScalarType> ValueTypes() {
  std::vector<ScalarType> types;
  for (int i = 0; i < ScalarType_descriptor()->value_count(); ++i) {
    const auto type = static_cast<ScalarType>(ScalarType_descriptor()->value(i)->number());
    if (type != VOID && type != HANDLE) types.push_back(type);
  }
  return types;
}

// Ranges in which `op` is defined for operand number `k`.
Values OperandValues(Op op, ScalarType type, int k) {
  Values values = {.type = type};
  const bool divides = op == DIV || (op >= TRUNC_DIV && op <= FLOOR_MOD);
  if (divides && k == 1) {
    values.min = 1;
    values.max = IsFloat(type) ? 2 : 9;
  }
  if ((op == SHL || op == SHR) && k == 1) values.max = 5;
  if (op == SHL && k == 0) values = {.type = type, .min = IsSigned(type) ? -3 : 0, .max = 3};
  if (op == MUL && BitWidth(type) == 8) {
    values.min = IsUnsigned(type) ? 0 : -3;
    values.max = IsFloat(type) ? 2 : 7;
    if (IsFloat(type)) values.min = -2;
  }
  return values;
}

Expr Make(Op op, ScalarType type, uint32_t lanes, const std::vector<Expr>& args) {
  Expr expr;
  expr.set_op(op);
  expr.set_type(type);
  expr.set_lanes(lanes);
  for (const Expr& arg : args) *expr.add_args() = arg;
  return expr;
}

// Cases for operators whose operands all have one type.
void AddUniform(Op op, ScalarType type, uint32_t lanes, std::vector<Case>* cases) {
  for (int arity = 1; arity <= 2; ++arity) {
    for (const ScalarType result : {type, BOOL}) {
      std::vector<Values> inputs;
      for (int k = 0; k < arity; ++k) inputs.push_back(OperandValues(op, type, k));
      Case one = ElementwiseCase(std::string(OpName(op)), inputs, lanes,
                                 [&](Function*, const std::vector<Expr>& args) {
                                   return Make(op, result, lanes <= 1 ? 0 : lanes, args);
                                 });
      if (VerifyCase(one).ok()) {
        cases->push_back(std::move(one));
        if (type == BOOL) return;
      }
    }
  }
}

TEST(OperatorsTest, UniformOperatorsAgreeOnEveryType) {
  std::vector<Case> cases;
  std::set<Op> covered;
  for (int i = 0; i < Op_descriptor()->value_count(); ++i) {
    const auto op = static_cast<Op>(Op_descriptor()->value(i)->number());
    if (op < ADD || op > SHR) continue;
    for (const ScalarType type : ValueTypes()) {
      for (const uint32_t lanes : {1u, 4u, 3u}) {
        const size_t before = cases.size();
        AddUniform(op, type, lanes, &cases);
        if (cases.size() > before) covered.insert(op);
      }
    }
  }
  for (int i = 0; i < Op_descriptor()->value_count(); ++i) {
    const auto op = static_cast<Op>(Op_descriptor()->value(i)->number());
    if (op >= ADD && op <= SHR) EXPECT_EQ(covered.count(op), 1u) << OpName(op);
  }
  EXPECT_GT(cases.size(), 500u);
  ExpectAgreement(cases);
}

TEST(OperatorsTest, ChoicesAgreeOnEveryType) {
  std::vector<Case> cases;
  for (const Op op : {SELECT, IF_THEN_ELSE}) {
    for (const ScalarType type : ValueTypes()) {
      cases.push_back(ElementwiseCase(
          "scalar choice", {{BOOL}, {type}, {type}}, 1,
          [&](Function*, const std::vector<Expr>& args) { return Make(op, type, 0, args); }));
      cases.push_back(ElementwiseCase(
          "vector choice by a scalar", {{I32}, {type}, {type}}, 4,
          [&](Function* function, const std::vector<Expr>& args) {
            const Expr first = build::Load(*function, 0, {build::I32Const(3)});
            return Make(op, type, 4,
                        {build::Binary(LT, first, build::I32Const(0)), args[1], args[2]});
          }));
    }
  }
  for (const ScalarType type : ValueTypes()) {
    cases.push_back(ElementwiseCase(
        "vector select", {{BOOL}, {type}, {type}}, 4,
        [&](Function*, const std::vector<Expr>& args) { return Make(SELECT, type, 4, args); }));
  }
  ExpectAgreement(cases);
}

TEST(OperatorsTest, CastsAgreeBetweenAllTypes) {
  std::vector<Case> cases;
  for (const ScalarType from : ValueTypes()) {
    for (const ScalarType to : ValueTypes()) {
      for (const uint32_t lanes : {1u, 4u}) {
        for (const bool real : {false, true}) {
          if (real && !IsFloat(from)) continue;
          Values values = {.type = from, .real = real};
          // What a cast to an unsigned type leaves undefined for floats.
          if (IsFloat(from) && (IsUnsigned(to) || to == BOOL)) values.max = 2;
          Case one =
              ElementwiseCase(std::string(TypeName(from)) + " to " + std::string(TypeName(to)),
                              {values}, lanes, [&](Function*, const std::vector<Expr>& args) {
                                return Make(CAST, to, lanes <= 1 ? 0 : lanes, args);
                              });
          ASSERT_TRUE(VerifyCase(one).ok()) << VerifyCase(one);
          cases.push_back(std::move(one));
        }
      }
    }
  }
  ExpectAgreement(cases);
}

TEST(OperatorsTest, ReinterpretAgreesBetweenEqualSizes) {
  std::vector<Case> cases;
  for (const ScalarType from : ValueTypes()) {
    for (const ScalarType to : ValueTypes()) {
      Case one = ElementwiseCase(
          "reinterpret", {{from}}, 1,
          [&](Function*, const std::vector<Expr>& args) { return Make(REINTERPRET, to, 0, args); });
      if (VerifyCase(one).ok()) cases.push_back(std::move(one));
    }
  }
  EXPECT_GT(cases.size(), 30u);
  ExpectAgreement(cases);
}

TEST(OperatorsTest, VectorFormsAgreeOnEveryType) {
  std::vector<Case> cases;
  for (const ScalarType type : ValueTypes()) {
    cases.push_back(ElementwiseCase(
        "broadcast", {{type}}, 4, [&](Function* function, const std::vector<Expr>&) {
          return build::Broadcast(build::Load(*function, 0, {build::I32Const(5)}), 4);
        }));
    cases.push_back(ElementwiseCase("shuffle", {{type}, {type}}, 4,
                                    [&](Function*, const std::vector<Expr>& args) {
                                      Expr shuffle = Make(SHUFFLE, type, 4, args);
                                      for (const int64_t index : {7, 0, 3, 4})
                                        shuffle.add_int_list(index);
                                      return shuffle;
                                    }));
    cases.push_back(ElementwiseCase("extract", {{type}, {type}}, 4,
                                    [&](Function*, const std::vector<Expr>& args) {
                                      Expr extract = Make(SHUFFLE, type, 0, args);
                                      extract.add_int_list(6);
                                      return build::Broadcast(std::move(extract), 4);
                                    }));
    if (IsInteger(type)) {
      cases.push_back(ElementwiseCase("ramp", {{.type = type, .min = 1, .max = 9}}, 4,
                                      [&](Function* function, const std::vector<Expr>&) {
                                        return build::Ramp(
                                            build::Load(*function, 0, {build::I32Const(1)}),
                                            build::Load(*function, 0, {build::I32Const(2)}), 4);
                                      }));
    }
    cases.push_back(
        ElementwiseCase("let", {{type}}, 4, [&](Function* function, const std::vector<Expr>& args) {
          const uint32_t v = build::AddVariable(function, "v", type, 4);
          return build::Let(v, args[0], build::Var(*function, v));
        }));
  }
  ExpectAgreement(cases);
}

TEST(OperatorsTest, EveryOperatorIsPrintedOrKnownNotToBe) {
  // Leaves and forms that the tests above use, in and around every Case.
  const std::set<Op> elsewhere = {CONST, VAR,         LOAD,       SELECT,    IF_THEN_ELSE,
                                  CAST,  REINTERPRET, RAMP,       BROADCAST, SHUFFLE,
                                  LET,   CALL,        BUFFER_DATA};
  const std::set<Op> not_values = {OP_INVALID, STRING};
  for (int i = 0; i < Op_descriptor()->value_count(); ++i) {
    const auto op = static_cast<Op>(Op_descriptor()->value(i)->number());
    const bool uniform = op >= ADD && op <= SHR;
    EXPECT_TRUE(uniform || elsewhere.count(op) + not_values.count(op) > 0)
        << OpName(op) << " has no test";
  }
}

}  // namespace
}  // namespace irate
