// Random expressions over every operator that has operands: whatever the verifier accepts prints
// and parses to itself, with any combination of precedences.
#include <gtest/gtest.h>

#include <random>

#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

namespace b = build;

class RandomExprs {
 public:
  RandomExprs(uint32_t seed, Function* function) : random_(seed), function_(function) {
    buffer_ = b::AddBuffer(function, "A", I32, {b::I32Const(4), b::I32Const(4)});
    b::AddBufferParam(function, buffer_);
    for (ScalarType type : {I32, F64, BOOL, U64}) {
      const uint32_t id = b::AddVariable(function, "v", type);
      b::AddScalarParam(function, id);
      variables_.push_back(id);
    }
  }

  Expr Make(ScalarType type, int depth) {
    if (depth == 0 || Pick(6) == 0) return Leaf(type);
    switch (Pick(6)) {
      case 0:
        return b::Select(Make(BOOL, depth - 1), Make(type, depth - 1), Make(type, depth - 1));
      case 1:
        return b::Cast(type, Make(Type(), depth - 1));
      case 2: {
        const ScalarType bound = Type();
        const uint32_t id = b::AddVariable(function_, Pick(2) == 0 ? "v" : "t", bound);
        Expr value = Make(bound, depth - 1);
        return b::Let(id, std::move(value),
                      b::Binary(BodyOp(type), Make(type, depth - 1), Make(type, depth - 1)));
      }
      default:
        return Operator(type, depth);
    }
  }

 private:
  size_t Pick(size_t count) { return random_() % count; }
  ScalarType Type() {
    constexpr ScalarType kTypes[] = {I32, F64, BOOL, U64};
    return kTypes[Pick(4)];
  }
  static Op BodyOp(ScalarType type) { return type == BOOL ? AND : MUL; }

  Expr Leaf(ScalarType type) {
    if (type == BOOL) return Pick(2) == 0 ? b::BoolConst(Pick(2) == 0) : Variable(type);
    if (Pick(3) == 0) return Variable(type);
    if (type == F64) return b::Float(F64, Number());
    if (type == I32 && Pick(2) == 0) {
      return b::Load(*function_, buffer_, {b::I32Const(1), Leaf(I32)});
    }
    return b::Int(type,
                  type == U64 ? static_cast<int64_t>(random_()) : static_cast<int32_t>(random_()));
  }

  double Number() {
    const uint64_t bits = random_();
    double value = 0;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return Pick(2) == 0 ? value : static_cast<double>(static_cast<int64_t>(bits) % 1000) / 8;
  }

  Expr Variable(ScalarType type) {
    for (uint32_t id : variables_) {
      if (function_->variables(static_cast<int>(id)).type() == type) return b::Var(*function_, id);
    }
    return {};
  }

  Expr Operator(ScalarType type, int depth) {
    if (type == BOOL) {
      if (Pick(3) == 0) return b::Unary(NOT, Make(BOOL, depth - 1));
      constexpr Op kLogic[] = {AND, OR};
      if (Pick(2) == 0) return Infix(kLogic[Pick(2)], BOOL, depth);
      constexpr Op kCompare[] = {EQ, NE, LT, LE, GT, GE};
      return Infix(kCompare[Pick(6)], Type(), depth);
    }
    if (type == F64) {
      if (Pick(5) == 0) return b::Call("exp", F64, {Make(F64, depth - 1)});
      constexpr Op kFloat[] = {ADD, SUB, MUL, DIV, MIN, MAX};
      return Infix(kFloat[Pick(6)], F64, depth);
    }
    if (Pick(5) == 0) return b::Unary(BIT_NOT, Make(type, depth - 1));
    constexpr Op kInt[] = {ADD, SUB, MUL, TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD,
                           MIN, MAX, SHL, SHR,       BIT_AND,   BIT_OR,    BIT_XOR};
    return Infix(kInt[Pick(14)], type, depth);
  }

  Expr Infix(Op op, ScalarType type, int depth) {
    Expr left = Make(type, depth - 1);
    return b::Binary(op, std::move(left), Make(type, depth - 1));
  }

  std::mt19937_64 random_;
  Function* function_;
  uint32_t buffer_ = 0;
  std::vector<uint32_t> variables_;
};

TEST(RandomExpressions, RoundTrip) {
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    Module module;
    Function* f = module.add_functions();
    f->set_name("main");
    RandomExprs exprs(seed, f);
    for (ScalarType type : {I32, F64, BOOL, U64}) {
      *f->add_body() = b::Evaluate(exprs.Make(type, 6));
    }
    ASSERT_TRUE(Verify(module).ok()) << Verify(module) << PrintModule(module);
    const std::string text = PrintModule(module);
    const absl::StatusOr<Module> parsed = ParseModule(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status() << text;
    ASSERT_EQ(parsed->SerializeAsString(), module.SerializeAsString()) << text;
  }
}

}  // namespace
}  // namespace irate
