#include "triage/evidence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/types.h"
#include "nlohmann/json.hpp"
#include "oracles/pass_walk.h"
#include "triage/python_text.h"
#include "triage/stack_text.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxElements = 256;

// The module before and after the culprit.
void AddModules(const Case& test_case, const VariantObservation& variant, const Finding& finding,
                WorkerClient& worker, std::map<std::string, std::string>* files) {
  if (finding.oracle() != "pass-mismatch" || finding.step() < 0) return;
  PassSequence passes = test_case.passes();
  if (passes.steps().empty()) {
    absl::StatusOr<PassSequence> defaults = worker.DefaultPasses(variant.spec());
    if (!defaults.ok()) return;
    passes = *std::move(defaults);
  }
  if (finding.step() >= passes.steps_size()) return;
  absl::StatusOr<std::string> before =
      worker.PrintNative(test_case, variant.spec(), passes, finding.step());
  absl::StatusOr<std::string> after =
      worker.PrintNative(test_case, variant.spec(), passes, finding.step() + 1);
  if (!before.ok() || !after.ok()) return;
  (*files)["before.txt"] = *std::move(before);
  (*files)["after.txt"] = *std::move(after);
}

struct Side {
  const Tensor* tensor;
  std::string judged;
};

Json TensorJson(int index, const Side& expected, const Side& actual, bool exact) {
  const Tensor& want = *expected.tensor;
  const Tensor& got = *actual.tensor;
  const size_t width = static_cast<size_t>(std::max(1, ByteSize(want.type())));
  const size_t count =
      std::min({want.data().size(), got.data().size(), kMaxElements * width}) / width;
  Json json = {{"name", "output " + std::to_string(index)},
               {"columns", want.shape().empty() ? 1 : std::max<int64_t>(1, *want.shape().rbegin())},
               {"expected", Json::array()},
               {"actual", Json::array()},
               {"wrong", Json::array()}};
  for (size_t i = 0; i < count; ++i) {
    const std::string a = ElementText(want, i);
    const std::string b = ElementText(got, i);
    const bool judged = i >= expected.judged.size() || expected.judged[i] == 1;
    json["expected"].push_back(judged ? a : "not judged");
    json["actual"].push_back(b);
    json["wrong"].push_back(exact && judged && a != b);
  }
  return json;
}

void AddTensors(const Observation& observation, const Finding& finding,
                std::map<std::string, std::string>* files) {
  const PassWalk walk = WalkPasses(observation, finding.variant());
  const VariantObservation& variant = observation.variants(static_cast<int>(finding.variant()));
  const Interpretation* before = nullptr;
  std::vector<const Tensor*> actual;
  if (finding.oracle() == "pass-mismatch") {
    for (const PassDeviation& deviation : walk.deviations) {
      if (deviation.step != finding.step()) continue;
      before = deviation.before;
      for (const InterpretedTensor& output : deviation.after->outputs()) {
        actual.push_back(&output.tensor());
      }
    }
  } else if (finding.oracle() == "codegen-mismatch") {
    before = walk.last;
    for (const Tensor& output : variant.outputs()) actual.push_back(&output);
  }
  if (before == nullptr || actual.empty()) return;
  Json tensors = Json::array();
  for (size_t i = 0; i < actual.size() && static_cast<int>(i) < before->outputs_size(); ++i) {
    const InterpretedTensor& expected = before->outputs(static_cast<int>(i));
    // Within a bound other digits are no difference: nothing is marked then.
    tensors.push_back(TensorJson(static_cast<int>(i), {&expected.tensor(), expected.judged()},
                                 {actual[i], ""}, expected.bounds().empty()));
  }
  (*files)["tensors.json"] = tensors.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::map<std::string, std::string> Evidence(const Case& test_case, const Observation& observation,
                                            const Finding& finding, WorkerClient& worker) {
  std::map<std::string, std::string> files;
  const VariantObservation& variant = observation.variants(static_cast<int>(finding.variant()));
  if (std::string stack = StackText(variant.failure()); !stack.empty()) {
    files["stack.txt"] = std::move(stack);
  }
  AddTensors(observation, finding, &files);
  AddModules(test_case, variant, finding, worker, &files);
  return files;
}

}  // namespace irate
