#include "ir/verify.h"

#include <string>

#include "fmt/format.h"
#include "ir/measure.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate {
namespace {

absl::Status CheckMeasure(const Measure& measure) {
  if (measure.depth > kMaxDepth) {
    return absl::InvalidArgumentError(
        fmt::format("nested {} deep, at most {} is allowed", measure.depth, kMaxDepth));
  }
  if (measure.nodes > kMaxNodes) {
    return absl::InvalidArgumentError(
        fmt::format("{} nodes, at most {} are allowed", measure.nodes, kMaxNodes));
  }
  return absl::OkStatus();
}

absl::Status VerifyMeasured(const Module& module, const VerifyOptions& options) {
  if (module.functions_size() == 0) return absl::InvalidArgumentError("a module without functions");
  if (verify::HasUnknownFields(module)) {
    return absl::InvalidArgumentError("the module has a field with an unknown number");
  }
  verify::FunctionIndex index;
  for (int i = 0; i < module.functions_size(); ++i) {
    const std::string& name = module.functions(i).name();
    if (!index.emplace(name, i).second) {
      return absl::InvalidArgumentError(fmt::format("two functions are called {}", name));
    }
  }
  if (module.functions(0).is_private() && !options.lifted) {
    return absl::InvalidArgumentError(
        fmt::format("function {}: the entry is private", module.functions(0).name()));
  }
  for (int i = 0; i < module.functions_size(); ++i) {
    IRATE_RETURN_IF_ERROR(verify::FunctionVerifier(module, i, index, options).Run());
  }
  return verify::CheckCallGraph(module, index);
}

}  // namespace

absl::Status Verify(const Module& module, const VerifyOptions& options) {
  IRATE_RETURN_IF_ERROR(CheckMeasure(MeasureModule(module)));
  return VerifyMeasured(module, options);
}

absl::Status VerifyCase(const Case& test_case) {
  IRATE_RETURN_IF_ERROR(CheckMeasure(MeasureCase(test_case)));
  if (test_case.version() != 1) {
    return absl::InvalidArgumentError(
        fmt::format("the Case has version {}; this program reads version 1", test_case.version()));
  }
  IRATE_RETURN_IF_ERROR(VerifyMeasured(test_case.module(), {}));
  return verify::CheckCaseParts(test_case);
}

}  // namespace irate
