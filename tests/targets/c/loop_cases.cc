#include "case_maker.h"
#include "ir/types.h"
#include "statement_cases.h"

namespace irate::c_target_test {
namespace {

using namespace build;

Case LoopOfKind(LoopKind kind) {
  CaseMaker make("loop of kind " + LoopKind_Name(kind));
  const uint32_t a = make.Param("a", I32, 12);
  const uint32_t b = make.Param("b", I32, 12);
  const uint32_t i = make.Variable("i", I32);
  make.Add(make.Loop(
      i, 12, {Store(b, Binary(ADD, make.Load(a, {make.Var(i)}), make.Var(i)), {make.Var(i)})},
      kind));
  return make.Done();
}

Case LoopOfType(ScalarType type) {
  CaseMaker make("loop over " + std::string(TypeName(type)));
  const uint32_t a = make.Param("a", type, 40);
  const uint32_t i = make.Variable("i", type);
  // Up to the end of an 8-bit type: 100 + 27 = 127.
  make.Add(For(i, Int(type, 100), Int(type, 27), SERIAL,
               {Store(a, make.Var(i), {Binary(SUB, Cast(I32, make.Var(i)), I32Const(100))})}));
  return make.Done();
}

Case LoopWithStep() {
  CaseMaker make("loop with a step");
  const uint32_t a = make.Param("a", I32, 20);
  const uint32_t i = make.Variable("i", I32);
  Stmt loop = For(i, I32Const(2), I32Const(15), SERIAL,
                  {Store(a, Binary(MUL, make.Var(i), I32Const(3)), {make.Var(i)})});
  *loop.add_args() = I32Const(4);
  make.Add(loop);
  return make.Done();
}

Case EmptyLoops() {
  CaseMaker make("loops without iterations");
  const uint32_t a = make.Param("a", I32, 4);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  make.Add(make.Loop(i, 0, {Store(a, I32Const(77), {I32Const(0)})}));
  make.Add(For(j, I32Const(3), I32Const(-2), SERIAL, {Store(a, I32Const(78), {I32Const(1)})}));
  return make.Done();
}

Case TriangularLoop() {
  CaseMaker make("an extent that depends on the outer loop");
  const uint32_t a = make.Param("a", I32, {I32Const(6), I32Const(6)});
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  make.Add(make.Loop(
      i, 6,
      {For(j, make.Var(i), Binary(SUB, I32Const(6), make.Var(i)), SERIAL,
           {Store(a, Binary(MUL, make.Var(i), make.Var(j)), {make.Var(i), make.Var(j)})})}));
  return make.Done();
}

// The end of the loop is fixed before its body changes what it was read from.
Case BoundReadFromMemory() {
  CaseMaker make("a bound that the body changes");
  const uint32_t n = make.Param("n", I32, 1);
  const uint32_t a = make.Param("a", I32, 10);
  const uint32_t i = make.Variable("i", I32);
  make.Range(0, 7, 7);
  make.Add(For(i, I32Const(0), make.Load(n, {I32Const(0)}), SERIAL,
               {Store(n, I32Const(2), {I32Const(0)}), Store(a, make.Var(i), {make.Var(i)})}));
  return make.Done();
}

Case WhileWithJumps() {
  CaseMaker make("while with break and continue");
  const uint32_t a = make.Param("a", I32, 16);
  const uint32_t n = make.Local("n", I32, {I32Const(1)});
  const auto at = [&] { return make.Load(n, {I32Const(0)}); };
  make.Add(Alloc(n)).Add(Store(n, I32Const(0), {I32Const(0)}));
  make.Add(While(Binary(LT, at(), I32Const(14)),
                 {Store(n, Binary(ADD, at(), I32Const(1)), {I32Const(0)}),
                  If(Binary(EQ, at(), I32Const(3)), {Plain(CONTINUE)}),
                  If(Binary(GE, at(), I32Const(9)), {Plain(BREAK)}), Store(a, at(), {at()})}));
  return make.Done();
}

Case JumpsOverLocals() {
  CaseMaker make("jumps out of the scope of large locals");
  const uint32_t a = make.Param("a", I64, 8);
  const uint32_t big = make.Local("big", I64, {I32Const(5000)});
  const uint32_t i = make.Variable("i", I32);
  make.Add(make.Loop(i, 8,
                     {Alloc(big), Store(big, Cast(I64, make.Var(i)), {I32Const(4999)}),
                      If(Binary(EQ, make.Var(i), I32Const(2)), {Plain(CONTINUE)}),
                      If(Binary(EQ, make.Var(i), I32Const(6)), {Plain(BREAK)}),
                      Store(a, make.Load(big, {I32Const(4999)}), {make.Var(i)})}));
  return make.Done();
}

Case Branches() {
  CaseMaker make("if and else");
  const uint32_t a = make.Param("a", I32, 10);
  const uint32_t i = make.Variable("i", I32);
  make.Add(make.Loop(
      i, 10,
      {If(Binary(LT, make.Load(a, {make.Var(i)}), I32Const(0)),
          {Store(a, I32Const(-1), {make.Var(i)})},
          {If(Binary(GT, make.Load(a, {make.Var(i)}), I32Const(20)),
              {Store(a, I32Const(1), {make.Var(i)})}, {Store(a, I32Const(0), {make.Var(i)})})})}));
  return make.Done();
}

Case HintsAndChecks() {
  CaseMaker make("assert, attribute, assume");
  const uint32_t a = make.Param("a", I32, 4);
  const uint32_t i = make.Variable("i", I32);
  make.Range(0, 0, 9);
  Stmt check = Plain(ASSERT);
  check.set_name("ValueError");
  *check.add_strings() = "a[0] is \"negative\"";
  *check.add_args() = Binary(GE, make.Load(a, {I32Const(0)}), I32Const(0));
  make.Add(check);
  Stmt attribute = Plain(ATTR);
  attribute.set_name("pragma_unroll");
  attribute.mutable_attr_node()->set_text("x");
  *attribute.add_args() = I32Const(1);
  *attribute.add_body() = make.Loop(i, 4, {Store(a, make.Var(i), {make.Var(i)})});
  make.Add(attribute);
  make.Add(Evaluate(Call("assume", BOOL, {Binary(EQ, make.Load(a, {I32Const(3)}), I32Const(3))})));
  make.Add(Evaluate(I32Const(0)));
  return make.Done();
}

}  // namespace

std::vector<Case> LoopCases() {
  std::vector<Case> cases;
  for (int i = 0; i < LoopKind_descriptor()->value_count(); ++i) {
    const auto kind = static_cast<LoopKind>(LoopKind_descriptor()->value(i)->number());
    if (kind != THREAD_BINDING) cases.push_back(LoopOfKind(kind));
  }
  for (const ScalarType type : {I8, I16, I32, I64, U8, U16, U32, U64}) {
    cases.push_back(LoopOfType(type));
  }
  cases.insert(cases.end(), {LoopWithStep(), EmptyLoops(), TriangularLoop(), BoundReadFromMemory(),
                             WhileWithJumps(), JumpsOverLocals(), Branches(), HintsAndChecks()});
  return cases;
}

}  // namespace irate::c_target_test
