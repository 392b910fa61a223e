#include "targets/c/c_target.h"

#include <chrono>
#include <csignal>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "targets/c/c_spec.h"
#include "targets/c/compiler.h"
#include "targets/c/isolated_run.h"
#include "targets/c/printer.h"

namespace irate {
namespace {

using c_target::CompileResult;
using c_target::CSpec;
using c_target::IsolatedOutcome;

constexpr std::chrono::milliseconds kRunDeadline{5'000};

// Contraction would be the compiler's right; the interpreter's bounds do not hang on it, but exact
// Cases should differ only where something is wrong.
const std::vector<std::string>& FixedFlags() {
  static const auto& flags = *new std::vector<std::string>{"-ffp-contract=off"};
  return flags;
}

double MsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// One request: print, compile, run. What happens is in the observation.
class Build {
 public:
  Build(const Case& test_case, Progress* progress) : case_(test_case), progress_(progress) {}

  void Run(const CSpec& spec, bool run_native) {
    absl::StatusOr<c_target::ScratchDirectory> directory = c_target::ScratchDirectory::Create();
    if (!directory.ok()) return Fail(Failure::HARNESS, "", directory.status().message());
    Enter(STAGE_LOWER);
    auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<std::string> source = PrintC(case_.module());
    observation_.set_lower_ms(MsSince(start));
    if (!source.ok()) return Fail(Failure::HARNESS, "Unsupported", source.status().message());

    Enter(STAGE_BUILD);
    start = std::chrono::steady_clock::now();
    c_target::CompilerOptions options;
    options.compiler = spec.compiler;
    options.flags = FixedFlags();
    options.flags.push_back(spec.opt);
    options.flags.insert(options.flags.end(), spec.flags.begin(), spec.flags.end());
    const absl::StatusOr<CompileResult> compiled =
        c_target::CompileShared(*source, options, *directory);
    observation_.set_build_ms(MsSince(start));
    if (!compiled.ok()) return Fail(Failure::HARNESS, "", compiled.status().message());
    if (compiled->outcome != CompileResult::Outcome::kOk) return FailBuild(*compiled, spec);
    if (run_native) RunLibrary(compiled->library);
  }

  void Fail(Failure::Kind kind, const char* error_kind, absl::string_view message) {
    Failure* failure = observation_.mutable_failure();
    failure->set_kind(kind);
    failure->set_stage(static_cast<Stage>(progress_->stage.load()));
    failure->set_step(-1);
    failure->set_error_kind(error_kind);
    failure->set_message(std::string(message));
  }

  VariantObservation& observation() { return observation_; }

 private:
  void Enter(Stage stage) {
    progress_->step.store(-1);
    progress_->stage.store(stage);
  }

  void FailBuild(const CompileResult& compiled, const CSpec& spec) {
    observation_.mutable_failure()->set_signal(compiled.signal);
    const std::string text = compiled.diagnostics.substr(0, 4000);
    switch (compiled.outcome) {
      case CompileResult::Outcome::kMissing:
        return Fail(Failure::HARNESS, "", fmt::format("there is no compiler {}", spec.compiler));
      case CompileResult::Outcome::kTimedOut:
        return Fail(Failure::HANG, "", fmt::format("{} did not end in time", spec.compiler));
      case CompileResult::Outcome::kCrashed:
        return Fail(compiled.signal == 0 ? Failure::INTERNAL_ERROR : Failure::SIGNAL,
                    "InternalCompilerError", text);
      default:
        return Fail(Failure::DIAGNOSTIC, "CompileError", text);
    }
  }

  void RunLibrary(const std::string& library) {
    absl::StatusOr<c_target::ArgumentMemory> memory =
        c_target::ArgumentMemory::Create(case_.module().functions(0), case_.inputs());
    if (!memory.ok()) return Fail(Failure::HARNESS, "", memory.status().message());
    Enter(STAGE_RUN);
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<std::vector<IsolatedOutcome>> run =
        c_target::RunIsolated(library, {{"irate_entry", &*memory}}, kRunDeadline);
    observation_.set_run_ms(MsSince(start));
    if (!run.ok()) return Fail(Failure::HARNESS, "", run.status().message());
    Conclude((*run)[0], *memory);
  }

  void Conclude(const IsolatedOutcome& outcome, const c_target::ArgumentMemory& memory) {
    switch (outcome.kind) {
      case IsolatedOutcome::Kind::kFinished:
        break;
      case IsolatedOutcome::Kind::kCheckFailed:
        return Fail(Failure::INTERNAL_ERROR, "AssertionError", outcome.report);
      case IsolatedOutcome::Kind::kCrashed:
        observation_.mutable_failure()->set_signal(outcome.signal);
        return Fail(Failure::SIGNAL, "", outcome.report);
      case IsolatedOutcome::Kind::kTimedOut:
        return Fail(Failure::HANG, "", "the program did not end in time");
      case IsolatedOutcome::Kind::kNotLoaded:
        return Fail(Failure::HARNESS, "", outcome.report);
    }
    if (const int damaged = memory.FirstDamaged(); damaged >= 0) {
      return Fail(Failure::SANITIZER, "buffer-overflow",
                  fmt::format("the program wrote beside buffer parameter {}", damaged));
    }
    for (Tensor& tensor : memory.Buffers()) *observation_.add_outputs() = std::move(tensor);
  }

  const Case& case_;
  Progress* const progress_;
  VariantObservation observation_;
};

class CTarget : public Target {
 public:
  std::string Name() const override { return "c"; }
  std::string Version() const override { return version_; }

  absl::Status Load() override {
    absl::Status missing;
    for (const CSpec& spec : {CSpec{"clang-22", "-O2", {}}, CSpec{"clang-22", "-O3", {}},
                              CSpec{"gcc", "-O2", {}}, CSpec{"gcc", "-O3", {}}}) {
      const absl::StatusOr<std::string> version = CompilerVersion(spec.compiler);
      if (!version.ok()) {
        missing = version.status();
        continue;
      }
      if (version_.empty()) version_ = *version;
      TargetSpec* added = &default_specs_.emplace_back();
      added->set_target("c");
      added->set_options(FormatSpec(spec));
    }
    return default_specs_.empty() ? missing : absl::OkStatus();
  }

  std::vector<TargetSpec> DefaultSpecs() const override { return default_specs_; }

  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                             const PassConfig& config) const override {
    IRATE_RETURN_IF_ERROR(c_target::ParseSpec(spec.options()).status());
    PassSequence passes;
    *passes.mutable_config() = config;
    return passes;
  }

  VariantObservation Run(const Case& test_case, const TargetSpec& spec, const PassSequence&,
                         const TargetOptions& options, Progress* progress) override {
    Build build(test_case, progress);
    const absl::StatusOr<CSpec> parsed = c_target::ParseSpec(spec.options());
    if (parsed.ok()) {
      build.Run(*parsed, options.run_native);
      const absl::StatusOr<std::string> version = CompilerVersion(parsed->compiler);
      if (version.ok()) build.observation().set_compiler_version(*version);
    } else {
      build.Fail(Failure::HARNESS, "", parsed.status().message());
    }
    *build.observation().mutable_spec() = spec;
    return std::move(build.observation());
  }

  absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec&,
                                          const PassSequence&, int) override {
    return PrintC(test_case.module());
  }

 private:
  // Each compiler is asked once.
  absl::StatusOr<std::string> CompilerVersion(const std::string& compiler) {
    const auto known = versions_.find(compiler);
    if (known != versions_.end()) return known->second;
    IRATE_ASSIGN_OR_RETURN(std::string version, c_target::CompilerVersion(compiler));
    return versions_[compiler] = std::move(version);
  }

  std::string version_;
  std::vector<TargetSpec> default_specs_;
  std::map<std::string, std::string> versions_;
};

}  // namespace

std::unique_ptr<Target> MakeCTarget() { return std::make_unique<CTarget>(); }

}  // namespace irate
