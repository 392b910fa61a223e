// The modules of make_fixtures.py and arguments for them.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/execution/sanitized/generated_code.h"

namespace irate::sanitized {

inline std::string ReadFixture(const std::string& name) {
  std::ifstream file(std::string(IRATE_FIXTURES) + "/" + name + ".ll");
  EXPECT_TRUE(file) << "no fixture " << name
                    << "; run the whole suite with ctest, which makes them";
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline contract::Argument Tensor(std::string name, contract::AbiType type,
                                 std::vector<int64_t> shape, const std::string& contents) {
  contract::Argument argument;
  argument.tensor = contract::TensorArgument{};
  argument.tensor->name = std::move(name);
  argument.tensor->type = type;
  argument.tensor->shape = std::move(shape);
  argument.tensor->contents = contents;
  return argument;
}

inline contract::Argument Scalar(std::string name, int32_t type_index, int64_t value) {
  contract::Argument argument;
  argument.scalar.name = std::move(name);
  argument.scalar.value.type_index = type_index;
  argument.scalar.value.v_int64 = value;
  return argument;
}

inline contract::Argument FloatScalar(std::string name, double value) {
  contract::Argument argument;
  argument.scalar.name = std::move(name);
  argument.scalar.value.type_index = contract::kFloat;
  argument.scalar.value.v_float64 = value;
  return argument;
}

inline std::vector<contract::Argument> ArgumentsFor(const std::string& module) {
  const auto bytes = [](size_t count, char fill) { return std::string(count, fill); };
  if (module == "Matmul") {
    return {Floats("A", {32, 32}), Floats("B", {32, 32}), Floats("C", {32, 32})};
  }
  if (module == "MatmulDynamic") {
    return {Floats("A", {3, 5}), Floats("B", {5, 7}), Floats("C", {3, 7})};
  }
  if (module == "Workspace") return {Floats("A", {1024}), Floats("C", {1024})};
  if (module == "WorkspacePerTask") return {Floats("A", {8, 512}), Floats("C", {8, 512})};
  if (module == "StackArray" || module == "TwoFunctions") {
    return {Floats("A", {16}), Floats("C", {16})};
  }
  if (module == "PackedCalls") {
    return {Floats("A", {16}), Floats("C", {16}), Scalar("s", contract::kInt, 9)};
  }
  if (module == "Types") {
    return {Tensor("a", {contract::kFloatCode, 16, 1}, {16}, bytes(32, 0)),
            Tensor("b", {contract::kBfloatCode, 16, 1}, {16}, bytes(32, 0)),
            Tensor("c", {contract::kIntCode, 8, 1}, {16}, bytes(16, 5)),
            Tensor("d", {contract::kBoolCode, 8, 1}, {16}, bytes(16, 1)),
            Tensor("e", {contract::kIntCode, 64, 1}, {16}, bytes(128, 0)),
            Floats("o", {16}),
            FloatScalar("x", 2.0),
            Scalar("y", contract::kBool, 1),
            Scalar("z", contract::kInt, 200)};
  }
  contract::Argument strided = Floats("A", {8, 16});
  strided.tensor->strides = {20, 1};
  strided.tensor->byte_offset = 16;
  strided.tensor->alignment = 16;
  return {strided, Floats("C", {8, 16})};
}

// Functions that PackedCalls calls by name.
inline RunOptions PackedOptions(std::vector<std::string>* calls) {
  RunOptions options;
  contract::PackedCallee scalars;
  scalars.arity = 4;
  scalars.type_indices = {contract::kOpaquePointer, contract::kOpaquePointer, contract::kInt,
                          contract::kFloat};
  scalars.body = [calls](const contract::PackedAny* args, int32_t, contract::PackedAny*) {
    calls->push_back(fmt::format("scalars {} {}", args[2].v_int64, args[3].v_float64));
    return 0;
  };
  contract::PackedCallee tensor;
  tensor.arity = 1;
  tensor.type_indices = {contract::kTensorPointer};
  tensor.body = [calls](const contract::PackedAny* args, int32_t, contract::PackedAny*) {
    const auto* view = static_cast<const contract::AbiTensor*>(args[0].v_ptr);
    calls->push_back(fmt::format("tensor of {} elements", view->shape[0]));
    return 0;
  };
  options.packed = {{"test.scalars", scalars}, {"test.tensor", tensor}};
  return options;
}

inline const std::vector<std::string>& FixtureNames() {
  static const auto* names = new std::vector<std::string>{
      "Matmul",       "MatmulDynamic", "Workspace", "WorkspacePerTask", "StackArray", "PackedCalls",
      "TwoFunctions", "Types",         "Offset"};
  return *names;
}

}  // namespace irate::sanitized
