#include "targets/tvm/pipeline.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "targets/tvm/attributes.h"
#include "targets/tvm/pass_map.h"

namespace irate::tvm_target {
namespace {

constexpr char kBindTarget[] = "tirx.transform.BindTarget";
constexpr char kLowerIntrin[] = "tirx.transform.LowerIntrin";

Any RefuseExpression(const Expr& /*expr*/) {
  TVM_FFI_THROW(ValueError) << "only constants and strings can be given here";
}

}  // namespace

absl::StatusOr<PassSequence> DefaultPipeline(const Config& config) {
  const absl::StatusOr<PassMap>& map = TvmPassMap();
  if (!map.ok()) return map.status();
  return map->Pipeline(config);
}

absl::StatusOr<PassSequence> DevicePipeline(const Config& config) {
  absl::StatusOr<PassSequence> passes = DefaultPipeline(config);
  if (!passes.ok()) return passes;
  auto* steps = passes->mutable_steps();
  const auto intrinsics = std::ranges::find(*steps, kLowerIntrin, &PassStep::name);
  const auto place = static_cast<int>(intrinsics - steps->begin());
  steps->Add()->set_name("tirx.transform.LowerWarpMemory");
  for (int i = steps->size() - 1; i > place; --i) steps->SwapElements(i, i - 1);
  return passes;
}

absl::StatusOr<Any> MakePass(const PassStep& step, const Any& target) {
  const std::optional<ffi::Function> make = ffi::Function::GetGlobal(step.name());
  if (!make.has_value()) {
    return absl::NotFoundError(absl::StrCat("TVM has no pass named '", step.name(), "'"));
  }
  try {
    std::vector<Any> args;
    if (step.name() == kBindTarget) args.push_back(target);
    for (const Expr& arg : step.args()) args.push_back(AttributeToNative(arg, RefuseExpression));
    // The target is taken from the functions.
    if (step.name() == "s_tir.transform.VerifyVTCMLimit" && args.empty()) args.emplace_back();
    std::vector<ffi::AnyView> views(args.begin(), args.end());
    Any pass;
    make->CallPacked(views.data(), static_cast<int32_t>(views.size()), &pass);
    return pass;
  } catch (const ffi::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("pass '", step.name(), "' does not take these arguments: ", error.message()));
  }
}

PassContext::PassContext(const Config& config) {
  static const auto& options = *new std::unordered_set<std::string>([] {
    std::unordered_set<std::string> names;
    for (const auto& [name, facts] : Native<"transform.ListConfigs">().cast<ffi::Map<Any, Any>>()) {
      names.insert(ToString(name));
    }
    return names;
  }());
  AnyMap values;
  for (const Attribute& attribute : config) {
    const Any value = AttributeToNative(attribute.value(), RefuseExpression);
    const size_t dot = attribute.key().rfind('.');
    const std::string owner = attribute.key().substr(0, dot);
    if (options.contains(attribute.key()) || dot == std::string::npos || !options.contains(owner)) {
      values.Set(attribute.key(), value);
      continue;
    }
    AnyMap fields;
    if (const auto known = values.Get(owner); known.has_value()) fields = known->cast<AnyMap>();
    fields.Set(attribute.key().substr(dot + 1), value);
    values.Set(owner, fields);
  }
  // Optimisation level 2 is that of Python's PassContext().
  context_ = Native<"transform.PassContext">(2, AnyArray(), AnyArray(), AnyArray(), values);
  Native<"transform.EnterPassContext">(context_);
}

PassContext::~PassContext() { Native<"transform.ExitPassContext">(context_); }

}  // namespace irate::tvm_target
