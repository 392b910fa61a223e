// Small programs for the interpreter's tests, and what comes out of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/inputs.h"
#include "ir/interpreter.h"
#include "ir/interpreter/minifloat.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/types.h"

namespace irate {

namespace b = build;

// A module of one function, and its inputs.
class Program {
 public:
  Program() {
    function()->set_name("main");
    inputs_.set_seed(1);
  }

  Function* function() {
    if (module_.functions_size() == 0) module_.add_functions();
    return module_.mutable_functions(0);
  }
  Module& module() { return module_; }
  Inputs& inputs() { return inputs_; }

  uint32_t Buffer(std::string_view name, ScalarType type, std::vector<int64_t> shape) {
    return b::AddBuffer(function(), name, type, Extents(shape));
  }
  // A buffer parameter.
  uint32_t Param(std::string_view name, ScalarType type, std::vector<int64_t> shape) {
    const uint32_t id = Buffer(name, type, std::move(shape));
    b::AddBufferParam(function(), id);
    return id;
  }
  uint32_t ScalarParam(std::string_view name, ScalarType type) {
    const uint32_t id = b::AddVariable(function(), name, type);
    b::AddScalarParam(function(), id);
    return id;
  }
  uint32_t Var(std::string_view name, ScalarType type = I32) {
    return b::AddVariable(function(), name, type);
  }
  // Draws parameter `param` from [min, max].
  void Range(uint32_t param, int64_t min, int64_t max, bool real = false) {
    ParamInput* input = inputs_.add_params();
    input->set_param(param);
    input->set_min(min);
    input->set_max(max);
    input->set_real(real);
  }

  Expr V(uint32_t id) { return b::Var(*function(), id); }
  Expr L(uint32_t buffer, std::vector<Expr> indices) {
    return b::Load(*function(), buffer, std::move(indices));
  }
  void Add(Stmt stmt) { *function()->add_body() = std::move(stmt); }

  Interpretation Run(const InterpretOptions& options = {}) {
    absl::StatusOr<Interpretation> result = Interpret(module_, inputs_, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : Interpretation();
  }
  Interpretation RunAsResult() {
    InterpretOptions options;
    options.mode = InterpretOptions::Mode::kPassResult;
    return Run(options);
  }

  static std::vector<Expr> Extents(const std::vector<int64_t>& shape) {
    std::vector<Expr> extents;
    for (int64_t extent : shape) extents.push_back(b::I32Const(extent));
    return extents;
  }

 private:
  Module module_;
  Inputs inputs_;
};

inline Expr C(int64_t value) { return b::I32Const(value); }
inline Expr F(double value) { return b::Float(F32, value); }

// Element `index` of an output, as an integer or a float.
inline double Element(const Interpretation& result, int output, size_t index) {
  const Tensor& tensor = result.outputs(output).tensor();
  const auto size = static_cast<size_t>(ByteSize(tensor.type()));
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data().data() + index * size, size);
  if (IsFloat(tensor.type())) return DecodeFloat(tensor.type(), bits);
  if (!IsSigned(tensor.type())) return static_cast<double>(bits);
  const int shift = 64 - BitWidth(tensor.type());
  return static_cast<double>(static_cast<int64_t>(bits << shift) >> shift);
}

inline char Judged(const Interpretation& result, int output, size_t index) {
  const std::string& judged = result.outputs(output).judged();
  return judged.empty() ? kJudged : judged[index];
}

inline double BoundAt(const Interpretation& result, int output, size_t index) {
  const std::string& bounds = result.outputs(output).bounds();
  double bound = 0;
  if (!bounds.empty()) std::memcpy(&bound, bounds.data() + index * sizeof bound, sizeof bound);
  return bound;
}

#define EXPECT_DEFINED(result)                          \
  EXPECT_EQ((result).status(), Interpretation::DEFINED) \
      << (result).reason() << " at " << (result).place()
#define EXPECT_UNDEFINED(result, why)                              \
  do {                                                             \
    const Interpretation& irate_result = (result);                 \
    EXPECT_EQ(irate_result.status(), Interpretation::UNDEFINED);   \
    EXPECT_THAT(irate_result.reason(), ::testing::HasSubstr(why)); \
  } while (false)

}  // namespace irate
