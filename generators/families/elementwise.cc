// Chains of elementwise stages, one nest each or all in one nest: stage k may read the same element
// of stage k - 1, or any element of what an earlier nest wrote.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"

namespace irate {
namespace {

using enum Feature;

// Inputs of the chain's shape, their elements visible at the nest's own position.
void ShowInputs(Context& context, const LoopNest& nest, const std::vector<BufferInfo>& inputs) {
  for (const BufferInfo& input : inputs) {
    Element element;
    BufferInfo copy = input;
    element.buffer = &copy;
    element.indices = nest.indices();
    context.values.push_back(LoadElement(context, element));
  }
}

std::vector<Stmt> FusedStages(Context& context, Program& program, std::vector<BufferInfo>* stages,
                              const std::vector<BufferInfo>& inputs,
                              const std::vector<Extent>& shape) {
  const size_t mark = context.values.size();
  NestOptions options;
  options.body_has_loops = context.Percent(10);
  LoopNest nest(context, SpatialAxes(shape), options);
  ShowInputs(context, nest, inputs);
  std::vector<Stmt> body;
  for (BufferInfo& stage : *stages) {
    Element element;
    element.buffer = &stage;
    element.indices = nest.indices();
    element.initialised = program.IsInitialised(stage);
    AppendTo(&body, GenerateElement(context, element, 2));
    context.values.push_back(LoadElement(context, element));
  }
  context.values.resize(mark);
  return nest.Close(std::move(body));
}

std::vector<Stmt> OneStage(Context& context, Program& program, BufferInfo* stage,
                           const std::vector<BufferInfo>& inputs) {
  const size_t mark = context.values.size();
  NestOptions options;
  options.body_has_loops = context.Percent(10);
  LoopNest nest(context, SpatialAxes(stage->shape), options);
  ShowInputs(context, nest, inputs);
  Element element;
  element.buffer = stage;
  element.indices = nest.indices();
  element.initialised = program.IsInitialised(*stage);
  std::vector<Stmt> body = GenerateElement(context, element, 3);
  if (element.initialised) AppendIdle(context, element, &body);
  context.values.resize(mark);
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateElementwiseCase(Context& context) {
  Program program(context);
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 3), context.TripBudget());
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  std::vector<BufferInfo> inputs;
  for (int64_t i = context.Int(0, 2); i > 0; --i) {
    const ScalarType type = context.DrawType();
    inputs.push_back(context.AddParam("A", type, shape, context.DrawContents(type)));
  }
  const int64_t count = context.Int(1, 3);
  const bool fused = count > 1 && context.Allows(kStmtSeveralStores) && context.Percent(45);
  std::vector<BufferInfo> stages;
  for (int64_t i = 0; i < count; ++i) {
    const ScalarType type = context.DrawType();
    const bool last = i + 1 == count;
    stages.push_back(last ? program.AddOutput(type, shape) : program.AddStage(type, shape));
  }
  if (fused) {
    program.Append(FusedStages(context, program, &stages, inputs, shape));
    return program.Finish();
  }
  for (const BufferInfo& input : inputs) program.Publish(input);
  for (size_t i = 0; i < stages.size(); ++i) {
    std::vector<BufferInfo> near = inputs;
    if (i > 0) near.push_back(stages[i - 1]);
    program.Append(OneStage(context, program, &stages[i], near));
    program.Publish(stages[i]);
  }
  return program.Finish();
}

}  // namespace irate
