#include "agreement.h"

#include <optional>

#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "targets/c/second_reference.h"

namespace irate::c_target_test {

Case ElementwiseCase(const std::string& name, const std::vector<Values>& inputs, uint32_t lanes,
                     const std::function<Expr(Function*, const std::vector<Expr>&)>& make) {
  using namespace build;
  constexpr int64_t kElements = 24;
  Case result;
  result.set_version(1);
  result.set_generator(name);
  result.mutable_inputs()->set_seed(7);
  Function* function = result.mutable_module()->add_functions();
  function->set_name("main");
  const uint32_t i = AddVariable(function, "i", I32);
  const auto index = [&]() -> Expr {
    if (lanes <= 1) return Var(*function, i);
    Expr base = Binary(MUL, Var(*function, i), I32Const(lanes));
    return Ramp(std::move(base), I32Const(1), lanes);
  };
  std::vector<Expr> loads;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const uint32_t buffer = AddBuffer(function, std::string(1, static_cast<char>('a' + k)),
                                      inputs[k].type, {I32Const(kElements)});
    AddBufferParam(function, buffer);
    loads.push_back(Load(*function, buffer, {index()}));
    ParamInput* input = result.mutable_inputs()->add_params();
    input->set_param(static_cast<uint32_t>(k));
    input->set_min(inputs[k].min);
    input->set_max(inputs[k].max);
    input->set_real(inputs[k].real);
  }
  const Expr value = make(function, loads);
  const uint32_t out = AddBuffer(function, "out", value.type(), {I32Const(kElements)});
  AddBufferParam(function, out);
  *function->add_body() = For(i, I32Const(0), I32Const(kElements / std::max<uint32_t>(lanes, 1)),
                              SERIAL, {Store(out, value, {index()})});
  return result;
}

void ExpectAgreement(const std::vector<Case>& cases) {
  std::vector<const Case*> pointers;
  for (const Case& one : cases) pointers.push_back(&one);
  const auto results = RunSecondReferences(pointers);
  ASSERT_EQ(results.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].generator() + "\n" + PrintModule(cases[i].module()));
    EXPECT_TRUE(VerifyCase(cases[i]).ok()) << VerifyCase(cases[i]);
    const auto reference = Interpret(cases[i].module(), cases[i].inputs());
    ASSERT_TRUE(reference.ok()) << reference.status();
    EXPECT_EQ(reference->status(), Interpretation::DEFINED)
        << reference->reason() << " at " << reference->place();
    EXPECT_TRUE(results[i].ok()) << results[i].status();
    if (reference->status() != Interpretation::DEFINED || !results[i].ok()) continue;
    const std::optional<Difference> difference = Compare(*reference, *results[i]);
    EXPECT_FALSE(difference.has_value()) << difference->ToString();
    EXPECT_LT(InconclusiveShare(*reference), 1.0) << "nothing was judged";
  }
}

}  // namespace irate::c_target_test
