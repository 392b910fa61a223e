#include "case_maker.h"
#include "ir/types.h"
#include "statement_cases.h"

namespace irate::c_target_test {
namespace {

using namespace build;

// helper(b, x) doubles b[x] and gives what it was.
void AddHelper(Module* module, bool noalias) {
  Function* helper = module->add_functions();
  helper->set_name("helper");
  helper->set_is_private(true);
  helper->set_result(I32);
  const uint32_t b = AddBuffer(helper, "b", I32, {I32Const(8)});
  AddBufferParam(helper, b);
  const uint32_t x = AddVariable(helper, "x", I32);
  AddScalarParam(helper, x);
  const uint32_t old = AddVariable(helper, "old", I32);
  *helper->add_body() = Bind(old, Load(*helper, b, {Var(*helper, x)}));
  *helper->add_body() = Store(b, Binary(MUL, Var(*helper, old), I32Const(2)), {Var(*helper, x)});
  *helper->add_body() = Return(Var(*helper, old));
  if (noalias) {
    Attribute* attribute = helper->add_attrs();
    attribute->set_key("noalias");
    *attribute->mutable_value() = BoolConst(true);
  }
}

Case CallOfAnotherFunction(bool noalias) {
  CaseMaker make(noalias ? "a call without aliases" : "a call");
  const uint32_t a = make.Param("a", I32, 8);
  const uint32_t c = make.Param("c", I32, 8);
  const uint32_t i = make.Variable("i", I32);
  AddHelper(make.module(), noalias);
  const auto call = [&] {
    Expr result;
    result.set_op(CALL);
    result.set_type(I32);
    result.set_name("@helper");
    *result.add_args() = DataOf(a);
    *result.add_args() = make.Var(i);
    return result;
  };
  make.Add(make.Loop(i, 8, {Store(c, call(), {make.Var(i)}), Evaluate(call())}));
  return make.Done();
}

Case ScalarParameters() {
  CaseMaker make("scalar parameters of every type");
  std::vector<uint32_t> scalars;
  for (const ScalarType type :
       {I8, U8, I16, U16, I32, U32, I64, U64, BOOL, F16, F32, F64, BF16, F8E4M3FN, F8E5M2}) {
    scalars.push_back(make.Variable("x" + std::string(TypeName(type)), type));
    AddScalarParam(make.function(), scalars.back());
  }
  const uint32_t out = make.Param("out", F64, static_cast<int64_t>(scalars.size()));
  for (size_t k = 0; k < scalars.size(); ++k) {
    make.Add(Store(out, Cast(F64, make.Var(scalars[k])), {I32Const(static_cast<int64_t>(k))}));
  }
  return make.Done();
}

Case SymbolicDimensions() {
  CaseMaker make("symbolic dimensions, a scalar parameter among them");
  const uint32_t n = make.Variable("n", I32);
  const uint32_t m = make.Variable("m", I64);
  const uint32_t a = make.Param("a", I32, {make.Var(n), Cast(I32, make.Var(m))});
  // A buffer declares one of its extents alone.
  const uint32_t b = make.Param("b", I32, {make.Var(m)});
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I64);
  const auto set = [&](uint32_t variable, int64_t value) {
    DimValue* dimension = make.inputs()->add_dims();
    dimension->set_variable(variable);
    dimension->set_value(value);
  };
  set(n, 3);
  set(m, 5);
  make.Add(For(i, I32Const(0), make.Var(n), SERIAL,
               {For(j, Int(I64, 0), make.Var(m), SERIAL,
                    {Store(a,
                           Binary(ADD, make.Load(a, {make.Var(i), Cast(I32, make.Var(j))}),
                                  make.Load(b, {make.Var(j)})),
                           {make.Var(i), Cast(I32, make.Var(j))})})}));
  return make.Done();
}

Case EarlyReturn() {
  CaseMaker make("a return from within loops");
  const uint32_t a = make.Param("a", I32, 8);
  const uint32_t big = make.Local("big", F64, {I32Const(4000)});
  const uint32_t i = make.Variable("i", I32);
  make.Add(make.Loop(i, 8,
                     {Alloc(big), Store(big, Float(F64, 1.0), {I32Const(0)}),
                      If(Binary(EQ, make.Var(i), I32Const(5)), {Plain(RETURN)}),
                      Store(a, make.Var(i), {make.Var(i)})}));
  return make.Done();
}

Case Names() {
  CaseMaker make("names that C or the printer could take amiss");
  const uint32_t a = make.Param("int", I32, 2);
  const uint32_t b = make.Param("a.b-c", I32, 2);
  const uint32_t v = make.Variable("irate_n0", I32);
  const uint32_t w = make.Variable("7", I32);
  const uint32_t x = make.Variable("int_b0", I32);
  make.Add(Bind(v, make.Load(a, {I32Const(0)})));
  make.Add(Bind(w, Binary(ADD, make.Var(v), I32Const(1))));
  make.Add(make.Loop(x, 2, {Store(b, Binary(ADD, make.Var(w), make.Var(x)), {make.Var(x)})}));
  return make.Done();
}

}  // namespace

std::vector<Case> FunctionCases() {
  return {CallOfAnotherFunction(false),
          CallOfAnotherFunction(true),
          ScalarParameters(),
          SymbolicDimensions(),
          EarlyReturn(),
          Names()};
}

}  // namespace irate::c_target_test
