#include "targets/tvm/device_run.h"

#include <tvm/ffi/extra/module.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "execution/api/devices.h"
#include "execution/timer.h"
#include "ir/inputs.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"
#include "targets/tvm/call_arguments.h"
#include "targets/tvm/device_faults.h"
#include "targets/tvm/device_form.h"
#include "targets/tvm/device_module.h"
#include "targets/tvm/errors.h"
#include "targets/tvm/launch_extents.h"
#include "targets/tvm/target_json.h"

namespace irate::tvm_target {
namespace {

// What a device's code generator says of a program that its language has no words for.
constexpr auto kRefusals = std::to_array<std::string_view>({
    "Cannot convert type",
    "Can only handle constant size stack allocation",
});

bool IsHostFunction(const Any& function) {
  const Any attrs = Get<"ir.BaseFunc", "attrs">(ObjectOf(function));
  const auto map = Get<"ir.DictAttrs", "__dict__">(ObjectOf(attrs)).cast<ffi::Map<Any, Any>>();
  const auto target = map.find(ffi::String("target"));
  if (target == map.end()) return true;
  const std::string kind = TargetKind((*target).second);
  return kind == "llvm" || kind == "c";
}

// The functions of `module` that are the host's, or those that are not.
Any Half(const Any& module, bool host) {
  ffi::Map<Any, Any> functions;
  const Any all = Get<"ir.IRModule", "functions">(ObjectOf(module));
  for (const auto& [global, function] : all.cast<ffi::Map<Any, Any>>()) {
    if (IsHostFunction(function) == host) functions.Set(global, function);
  }
  return Native<"ir.IRModule">(functions, nullptr, ffi::Map<Any, Any>());
}

// Copies of the arguments' tensors on the device, freed at the end.
class DeviceTensors {
 public:
  explicit DeviceTensors(devices::Device* device) : device_(*device) {}
  ~DeviceTensors() { device_.Reset(); }

  absl::Status Upload(CallArguments& arguments) {
    for (std::unique_ptr<TensorArgument>& tensor : arguments.tensors) {
      const std::span<uint8_t> bytes = tensor->bytes();
      IRATE_ASSIGN_OR_RETURN(void* memory, device_.Allocate(bytes.size(), tensor->name()));
      IRATE_RETURN_IF_ERROR(device_.CopyIn(memory, 0, bytes));
      memory_.push_back(memory);
      tensor->tensor()->data = memory;
      tensor->tensor()->device = DLDevice{kDLOpenCL, 0};
    }
    return absl::OkStatus();
  }

  absl::Status Download(CallArguments& arguments) {
    IRATE_RETURN_IF_ERROR(device_.Synchronise());
    for (size_t i = 0; i < memory_.size(); ++i) {
      IRATE_RETURN_IF_ERROR(device_.CopyOut(memory_[i], 0, arguments.tensors[i]->bytes()));
    }
    return absl::OkStatus();
  }

 private:
  devices::Device& device_;
  std::vector<void*> memory_;
};

class DeviceRun {
 public:
  DeviceRun(const Case& test_case, const Module& program, devices::Device* device,
            Progress* progress, VariantObservation* observation)
      : case_(test_case),
        program_(program),
        device_(*device),
        progress_(progress),
        observation_(*observation) {}

  void Run(const Any& module, const Any& target, const Any& host) {
    absl::StatusOr<DeviceFault> fault = DeviceFault::Create(case_);
    if (!fault.ok()) return Fail(STAGE_BUILD, fault.status());
    fault_ = *std::move(fault);
    BuildAndCall(module, target, host);
    fault_.Report(&observation_);
  }

 private:
  void BuildAndCall(const Any& module, const Any& target, const Any& host) {
    Stage stage = STAGE_BUILD;
    DeviceTensors tensors(&device_);
    try {
      SetStage(stage);
      const Timer building;
      const std::string kind = TargetKind(target);
      const Any generated =
          ffi::Function::GetGlobalRequired("target.build." + kind)(Half(module, false), target);
      const Any library = Native<"target.build.llvm">(Half(module, true), host);
      // From here on it is not TVM's compiler that works.
      SetStage(STAGE_RUN);
      absl::StatusOr<DeviceCode> code = ReadDeviceCode(generated);
      if (!code.ok()) return Fail(stage, code.status());
      code->source = fault_.Change(std::move(code->source));
      absl::StatusOr<std::unique_ptr<devices::Program>> program = device_.Load(
          code->source, kind == "cuda" ? devices::Language::kCuda : devices::Language::kOpenClC);
      if (!program.ok()) return JudgeLoad(program.status());
      library.cast<ffi::Module>()->ImportModule(
          MakeLaunchModule(*code, *std::move(program)).cast<ffi::Module>());
      const std::string& name = case_.module().functions(0).name();
      const Any entry = Native<"ffi.ModuleGetFunction">(library, ffi::String(name), true);
      observation_.set_build_ms(building.Ms());

      stage = STAGE_RUN;
      SetStage(stage);
      absl::StatusOr<CallArguments> arguments =
          MakeCallArguments(case_.module().functions(0), case_.inputs());
      if (!arguments.ok()) return Fail(stage, arguments.status());
      if (absl::Status status = tensors.Upload(*arguments); !status.ok()) {
        return Fail(stage, status);
      }
      const Timer running;
      Call(entry, *arguments, &tensors);
      observation_.set_run_ms(running.Ms());
    } catch (const ffi::Error& error) {
      const bool refused = std::ranges::any_of(kRefusals, [&error](std::string_view part) {
        return std::string_view(error.message()).find(part) != std::string_view::npos;
      });
      if (stage == STAGE_BUILD && refused) return Refuse(error.message());
      *observation_.mutable_failure() = DescribeError(error, stage, -1, "");
    }
  }

  void Call(const Any& entry, CallArguments& arguments, DeviceTensors* tensors) {
    DeviceSession session;
    session.device = &device_;
    session.fault = &fault_;
    CurrentSession() = &session;
    try {
      Any result;
      entry.cast<ffi::Function>().CallPacked(
          arguments.values.data(), static_cast<int32_t>(arguments.values.size()), &result);
    } catch (const ffi::Error& error) {
      // What the device stopped is told below; anything else is the host code's.
      if (session.status.ok()) {
        CurrentSession() = nullptr;
        throw;
      }
    }
    CurrentSession() = nullptr;
    for (std::string& text : CheckExtents(program_, session.launches)) {
      Add("device-launch.extents", "", "", std::move(text));
    }
    for (const devices::DeviceReport& report : device_.TakeReports()) {
      Add(absl::StrCat("device-", report.kind), report.kernel, report.place, report.detail);
    }
    if (session.status.code() == absl::StatusCode::kUnimplemented) {
      return Refuse(std::string(session.status.message()));
    }
    if (session.status.code() == absl::StatusCode::kInvalidArgument) {
      return Add("device-launch.refused", "", "", std::string(session.status.message()));
    }
    if (session.status.code() == absl::StatusCode::kAborted) return;
    if (!session.status.ok()) return Fail(STAGE_RUN, session.status);
    if (absl::Status status = tensors->Download(arguments); !status.ok()) {
      return Fail(STAGE_RUN, status);
    }
    for (const std::unique_ptr<TensorArgument>& tensor : arguments.tensors) {
      *observation_.add_outputs() = tensor->Collect();
    }
  }

  void JudgeLoad(const absl::Status& status) {
    if (status.code() == absl::StatusCode::kInvalidArgument) {
      Add("device-source.rejected", "", "", std::string(status.message()));
    } else if (status.code() == absl::StatusCode::kUnimplemented) {
      Refuse(std::string(status.message()));
    } else {
      Fail(STAGE_BUILD, status);
    }
  }

  void Add(std::string kind, std::string kernel, std::string place, std::string detail) {
    ContractViolation* violation = observation_.add_violations();
    violation->set_kind(std::move(kind));
    violation->set_function(std::move(kernel));
    violation->set_place(std::move(place));
    violation->set_detail(std::move(detail));
  }

  // Not wrong, but not to be had on this device.
  void Refuse(const std::string& what) {
    const std::string line = what.substr(0, what.find('\n'));
    observation_.set_not_sanitized(
        absl::StrCat("device ", device_.Name(), ": not supported: ", line));
  }

  void Fail(Stage stage, const absl::Status& status) {
    Failure* failure = observation_.mutable_failure();
    failure->set_kind(Failure::HARNESS);
    failure->set_stage(stage);
    failure->set_step(-1);
    failure->set_message(std::string(status.message()));
  }

  void SetStage(Stage stage) {
    if (progress_ == nullptr) return;
    progress_->step.store(-1);
    progress_->stage.store(stage);
  }

  const Case& case_;
  const Module& program_;  // with its hardware threads
  devices::Device& device_;
  Progress* const progress_;
  VariantObservation& observation_;
  DeviceFault fault_;
};

}  // namespace

void BuildAndRunOnDevice(const Case& test_case, const Any& module, const Any& target,
                         const Any& host, const std::string& device, Progress* progress,
                         VariantObservation* observation) {
  std::string refusal = "this worker has no devices";
  devices::Device* found = ProcessDevices() ? ProcessDevices()(device, &refusal) : nullptr;
  if (found == nullptr) {
    observation->set_not_sanitized(absl::StrCat("device ", device, ": ", refusal));
    return;
  }
  const absl::StatusOr<Module> program = ToDeviceForm(test_case);
  DeviceRun(test_case, program.ok() ? *program : test_case.module(), found, progress, observation)
      .Run(module, target, host);
}

}  // namespace irate::tvm_target
