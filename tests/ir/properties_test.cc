#include "ir/properties.h"

#include <functional>
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

using namespace build;  // NOLINT: what it is for

struct Program {
  Module module;
  Function* function = nullptr;
  uint32_t i = 0;
  uint32_t a = 0;
};

// for i in 8: A[i] = A[i] + 1, of a type.
Program Loop(ScalarType type = I32, LoopKind kind = SERIAL, int64_t min = 0) {
  Program program;
  program.function = program.module.add_functions();
  program.function->set_name("main");
  program.i = AddVariable(program.function, "i", I32);
  program.a = AddBuffer(program.function, "A", type, {I32Const(16)});
  AddBufferParam(program.function, program.a);
  const Expr index = Var(*program.function, program.i);
  const Expr one = type == I32 ? I32Const(1) : Float(type, 1);
  *program.function->add_body() = For(
      program.i, I32Const(min), I32Const(8), kind,
      {Store(program.a, Binary(ADD, Load(*program.function, program.a, {index}), one), {index})});
  return program;
}

Module With(const std::function<void(Program&)>& edit) {
  Program program = Loop();
  edit(program);
  return program.module;
}

Module WithBlock(const std::function<void(Program&, Block&)>& edit) {
  return With([&edit](Program& program) {
    Stmt* stmt = program.function->add_body();
    stmt->set_kind(BLOCK);
    stmt->mutable_block()->set_name("b");
    edit(program, *stmt->mutable_block());
  });
}

Module WithCall(std::string_view name) {
  return With([name](Program& program) {
    *program.function->add_body() = Evaluate(Call(name, BOOL, {BoolConst(true)}));
  });
}

// For each property a module that lacks it; the plain loop has all but those listed.
const std::map<std::string, Module>& Offenders() {
  static const auto& offenders = *new std::map<std::string, Module>{
      {"bound-once",
       With([](Program& program) { *program.function->add_body() = program.function->body(0); })},
      {"flat-buffers", With([](Program& program) {
         const uint32_t b = AddBuffer(program.function, "B", I32, {I32Const(4), I32Const(4)});
         *program.function->add_body() = Store(b, I32Const(1), {I32Const(0), I32Const(0)});
       })},
      {"loops-from-zero", Loop(I32, SERIAL, 2).module},
      {"no-asserts", With([](Program& program) {
         *program.function->add_body() = Assert(BoolConst(true), "ValueError", "never");
       })},
      {"no-assume", WithCall("assume")},
      {"no-bf16-arithmetic", Loop(BF16).module},
      {"no-bf16-storage", Loop(BF16).module},
      {"no-block-init", WithBlock([](Program& program, Block& block) {
         *block.add_init() = Store(program.a, I32Const(0), {I32Const(0)});
       })},
      {"no-block-iterators", WithBlock([](Program& program, Block& block) {
         block.add_iters()->set_variable(AddVariable(program.function, "v", I32));
       })},
      {"no-blocks", WithBlock([](Program&, Block&) {})},
      {"no-fp8-arithmetic", Loop(F8E5M2).module},
      {"no-fp8-storage", Loop(F8E4M3FN).module},
      {"no-match-buffers", WithBlock([](Program&, Block& block) { block.add_match_buffers(); })},
      {"no-undef", WithCall("undef")},
      {"no-vectorized-loops", Loop(I32, VECTORIZED).module},
      {"no-virtual-threads", With([](Program& program) {
         Stmt* stmt = program.function->add_body();
         stmt->set_kind(ATTR);
         stmt->set_name("virtual_thread");
       })},
      {"packed-exports", Loop().module},
  };
  return offenders;
}

TEST(PropertiesTest, EachIsMissedWhereItIsMissing) {
  for (const Property& property : Properties()) {
    if (property.name == "idempotent") continue;
    const auto offender = Offenders().find(std::string(property.name));
    ASSERT_NE(offender, Offenders().end()) << property.name << " has no test";
    EXPECT_TRUE(Offence(property.name, offender->second).has_value()) << property.name;
    EXPECT_FALSE(property.description.empty());
  }
}

TEST(PropertiesTest, NoneIsMissedElsewhere) {
  const Module plain = Loop().module;
  for (const Property& property : Properties()) {
    if (property.name == "packed-exports") continue;
    EXPECT_EQ(Offence(property.name, plain), std::nullopt) << property.name;
  }
}

TEST(PropertiesTest, APackedEntryHasItsConvention) {
  Module module = Loop().module;
  Attribute* attribute = module.mutable_functions(0)->add_attrs();
  attribute->set_key("calling_conv");
  *attribute->mutable_value() = I32Const(1);
  EXPECT_EQ(Offence("packed-exports", module), std::nullopt);
  Module with_private = module;
  with_private.add_functions()->set_is_private(true);
  EXPECT_EQ(Offence("packed-exports", with_private), std::nullopt);
}

TEST(PropertiesTest, OffencesNameThePlace) {
  EXPECT_EQ(Offence("no-vectorized-loops", Loop(I32, VECTORIZED).module),
            "loop i in function main");
  EXPECT_EQ(Offence("no-bf16-storage", Loop(BF16).module), "buffer A of BF16 in function main");
}

TEST(PropertiesTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Property& property : Properties()) EXPECT_TRUE(names.insert(property.name).second);
  EXPECT_TRUE(IsProperty("no-blocks"));
  EXPECT_FALSE(IsProperty("no-block"));
}

}  // namespace
}  // namespace irate
