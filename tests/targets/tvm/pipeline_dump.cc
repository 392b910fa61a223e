// Prints as JSON what the target makes of the test programs, for pipeline_test.py: a list of
// {"config": {option: bool}, "passes": [names as TVM reports them],
//  "programs": [{"name", "lowered": TVMScript, "final": TVMScript}]}.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "programs.h"
#include "targets/tvm/native.h"
#include "targets/tvm/pipeline.h"
#include "targets/tvm/tvm_target.h"

namespace irate {
namespace {

using tvm_target::Any;
using tvm_target::Get;
using tvm_target::Native;
using tvm_target::ObjectOf;
using tvm_target::ToString;

PassSequence PipelineFor(const std::vector<std::string>& options) {
  PassSequence config;
  for (const std::string& option : options) {
    Attribute* attribute = config.add_config();
    attribute->set_key(option);
    attribute->mutable_value()->set_op(CONST);
    attribute->mutable_value()->set_type(BOOL);
    attribute->mutable_value()->set_int_value(1);
  }
  return tvm_target::DefaultPipeline(config.config()).value();
}

nlohmann::json PassNames(const PassSequence& pipeline) {
  const Any target = Native<"target.Target">(tvm_target::ffi::String("llvm"));
  const Any host = Native<"target.WithHost">(target, target);
  nlohmann::json names = nlohmann::json::array();
  for (const PassStep& step : pipeline.steps()) {
    const Any info = Native<"transform.Info">(tvm_target::MakePass(step, host).value());
    names.push_back(ToString(Get<"transform.PassInfo", "name">(ObjectOf(info))));
  }
  return names;
}

int Main() {
  const std::unique_ptr<Target> target = MakeTvmTarget();
  if (const absl::Status status = target->Load(); !status.ok()) {
    std::cerr << status << '\n';
    return 1;
  }
  TargetSpec spec;
  spec.set_target("tvm");
  nlohmann::json result = nlohmann::json::array();
  const std::vector<std::vector<std::string>> configs = {
      {},
      {"tirx.disable_vectorize"},
      {"tirx.disable_storage_rewrite", "tirx.disable_cse_tir"},
      {"tirx.instrument_bound_checkers"},
      {"tirx.use_async_copy"},
      {"tirx.s_tir.ldg32"},
      {"tirx.instrument_lwp"},
      {"tirx.disable_assert"}};
  for (const std::vector<std::string>& options : configs) {
    const PassSequence pipeline = PipelineFor(options);
    nlohmann::json entry;
    entry["config"] = nlohmann::json::object();
    for (const std::string& option : options) entry["config"][option] = true;
    entry["passes"] = PassNames(pipeline);
    entry["programs"] = nlohmann::json::array();
    for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
      entry["programs"].push_back(
          {{"name", name},
           {"lowered", target->PrintNative(test_case, spec, pipeline, 0).value()},
           {"final",
            target->PrintNative(test_case, spec, pipeline, pipeline.steps_size()).value()}});
    }
    result.push_back(std::move(entry));
  }
  std::cout << result.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace irate

int main() { return irate::Main(); }
