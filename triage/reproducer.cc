#include "triage/reproducer.h"

#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "triage/finding_harness.h"
#include "triage/python_text.h"
#include "triage/run_command.h"
#include "triage/tvm_reproducer.h"

namespace irate {
namespace fs = std::filesystem;
namespace {

// A folder of its own below the system's temporary one, removed with the object.
class TemporaryFolder {
 public:
  static absl::StatusOr<TemporaryFolder> Make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "irate-reproducer-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      return absl::UnavailableError(fmt::format("cannot create {}", path));
    }
    return TemporaryFolder(std::move(path));
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Runs the text and fills in `verified` and `output`. Python sees its own packages only: nothing of
// this folder, of the user or of the environment.
absl::StatusOr<Reproducer> Verify(std::string text, const ReproducerOptions& options) {
  Reproducer result;
  result.text = std::move(text);
  if (options.python.empty()) {
    result.output = "not run: no Python interpreter was given";
    return result;
  }
  IRATE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string path = folder.path() + "/reproducer.py";
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(path, result.text));
  const absl::StatusOr<CommandResult> run =
      RunCommand({options.python, "-I", "-B", path}, folder.path(), options.deadline);
  if (!run.ok()) {
    result.output = fmt::format("not run: {}", std::string(run.status().message()));
    return result;
  }
  result.verified = run->exit_code == 1;
  result.output = run->timed_out ? fmt::format("{}\nended after {} s\n", run->output,
                                               options.deadline.count() / 1000)
                                 : fmt::format("{}\nexit code {}\n", run->output, run->exit_code);
  return result;
}

std::vector<PassStep> Steps(const PassSequence& passes, int count) {
  return {passes.steps().begin(), passes.steps().begin() + count};
}

// The forms to try, the shortest first.
std::vector<TvmProgram> TvmForms(const TvmProgram& base, const Failure& failure) {
  TvmProgram program = base;
  program.calls = failure.kind() == Failure::NONE || failure.stage() == STAGE_RUN;
  if (failure.kind() != Failure::NONE && failure.stage() == STAGE_SCHEDULE) {
    program.builds = false;
    program.schedule_only = true;
    return {program};
  }
  std::vector<TvmProgram> forms = {program};
  const PassSequence& passes = base.test_case.passes();
  if (passes.steps().empty()) return forms;
  const bool in_pass = failure.kind() != Failure::NONE && failure.stage() == STAGE_PASS;
  if (in_pass && failure.step() >= 0 && failure.step() < passes.steps_size()) {
    program.builds = false;
    program.passes = Steps(passes, failure.step() + 1);
    forms.push_back(program);
    return forms;
  }
  program.passes = Steps(passes, passes.steps_size());
  forms.push_back(program);
  return forms;
}

absl::StatusOr<Reproducer> MakeTvmReproducer(const Case& test_case, const Observation& observation,
                                             const Finding& finding, WorkerClient& worker,
                                             const ReproducerOptions& options) {
  const VariantObservation& variant = observation.variants(static_cast<int>(finding.variant()));
  PassSequence passes = test_case.passes();
  if (passes.steps().empty()) {
    IRATE_ASSIGN_OR_RETURN(passes, worker.DefaultPasses(variant.spec(), passes.config()));
  }
  Case unscheduled = test_case;
  unscheduled.clear_schedule();
  IRATE_ASSIGN_OR_RETURN(std::string script,
                         worker.PrintNative(unscheduled, variant.spec(), passes, 0));
  const TvmProgram base{.test_case = test_case,
                        .observation = observation,
                        .finding = finding,
                        .script = std::move(script),
                        .target_options = variant.spec().options(),
                        .passes = {}};
  std::optional<Reproducer> first;
  for (const TvmProgram& form : TvmForms(base, variant.failure())) {
    IRATE_ASSIGN_OR_RETURN(std::string text, WriteTvmReproducer(form));
    IRATE_ASSIGN_OR_RETURN(Reproducer reproducer, Verify(std::move(text), options));
    if (reproducer.verified) return reproducer;
    if (!first.has_value()) first = std::move(reproducer);
  }
  return *std::move(first);
}

// For targets without a language of their own, and for what only instrumented code shows.
std::string WriteIrateReproducer(const Finding& finding, const ReproducerOptions& options) {
  return fmt::format(
      "# {}\n"
      "# Runs the Case beside this file. Exits 1 while the finding is there, 0 if it is gone, 2 if "
      "it\n"
      "# cannot run.\n"
      "import os\n"
      "import subprocess\n"
      "import sys\n\n"
      "irate = os.environ.get(\"IRATE\", {})\n"
      "case = os.path.join(os.path.dirname(os.path.abspath(__file__)), \"case.irate\")\n"
      "try:\n"
      "    code = subprocess.run([irate, \"run\", case, \"--target\", {}{}]).returncode\n"
      "except OSError as error:\n"
      "    print(error)\n"
      "    code = 2\n"
      "sys.exit(code if code in (0, 1) else 2)\n",
      finding.summary(), PythonString(options.irate), PythonString(finding.target()),
      NeedsSanitizedRun(finding.oracle())
          ? fmt::format(", \"--sanitize\", \"--only\", {}", PythonString(finding.signature()))
          : "");
}

}  // namespace

absl::StatusOr<Reproducer> MakeReproducer(const Case& test_case, const Observation& observation,
                                          const Finding& finding, WorkerClient& worker,
                                          const ReproducerOptions& options) {
  // What a pass promises is in our pass map: only irate can check it.
  if (finding.target() == "tvm" && finding.oracle() != "broken-promise" &&
      !NeedsSanitizedRun(finding.oracle())) {
    return MakeTvmReproducer(test_case, observation, finding, worker, options);
  }
  Reproducer reproducer;
  reproducer.text = WriteIrateReproducer(finding, options);
  reproducer.output = "not run: it runs the Case beside it";
  return reproducer;
}

}  // namespace irate
