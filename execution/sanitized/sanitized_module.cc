#include "execution/sanitized/sanitized_module.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/poison.h"
#include "execution/contract/runtime.h"
#include "execution/sanitized/check_runtime.h"
#include "execution/sanitized/instrument.h"
#include "execution/sanitized/ir_text.h"
#include "execution/sanitized/jit.h"
#include "execution/sanitized/prepare.h"
#include "execution/sanitized/run.h"
#include "execution/sanitized/sites.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::sanitized {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

JitImage::Symbols ImportedSymbols() {
  JitImage::Symbols symbols = CheckSymbols();
  for (const contract::RuntimeSymbol& symbol : contract::RuntimeSymbols()) {
    symbols.emplace_back(std::string(symbol.name), symbol.address);
  }
  return symbols;
}

}  // namespace

struct SanitizedModule::Parts {
  CompileOptions options;
  CompileTimes times;
  PreparedModule prepared;
  std::unique_ptr<JitImage> image;
  std::unique_ptr<SiteDescriber> sites;
  std::vector<std::string> destructors;
  void** library_context = nullptr;
};

SanitizedModule::SanitizedModule() : parts_(std::make_unique<Parts>()) {}

SanitizedModule::~SanitizedModule() {
  for (const std::string& name : parts_->destructors) {
    if (void* function = parts_->image->Lookup(name)) reinterpret_cast<void (*)()>(function)();
  }
}

const CompileTimes& SanitizedModule::times() const { return parts_->times; }
const std::vector<std::string>& SanitizedModule::packed_functions() const {
  return parts_->prepared.packed_functions;
}

absl::StatusOr<std::unique_ptr<SanitizedModule>> SanitizedModule::Compile(
    std::string ir_text, const CompileOptions& options) {
  if (options.address && !contract::AsanPresent()) {
    return absl::FailedPreconditionError(
        "this process has no AddressSanitizer runtime to run instrumented code on; link it with "
        "-fsanitize=address");
  }
  std::unique_ptr<SanitizedModule> result(new SanitizedModule());
  Parts& parts = *result->parts_;
  parts.options = options;
  const Clock::time_point start = Clock::now();
  auto context = std::make_unique<llvm::LLVMContext>();
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<llvm::Module> module, ParseModule(ir_text, *context));
  parts.times.parse_ms = Milliseconds(start);

  const Clock::time_point instrumenting = Clock::now();
  parts.prepared = Prepare(*module);
  Instrument(*module, options);
  const std::vector<std::string> constructors = TakeFunctionList(*module, "llvm.global_ctors");
  parts.destructors = TakeFunctionList(*module, "llvm.global_dtors");
  parts.times.instrument_ms = Milliseconds(instrumenting);

  IRATE_ASSIGN_OR_RETURN(parts.image, JitImage::Create(std::move(module), std::move(context),
                                                       ImportedSymbols(), options.optimise));
  const Clock::time_point linking = Clock::now();
  for (const std::string& name : constructors) {
    void* function = parts.image->Lookup(name);
    if (function == nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "the module cannot be linked: it imports a symbol that neither the contract runtime nor "
          "this process has (looking for its constructor {})",
          name));
    }
    reinterpret_cast<void (*)()>(function)();
  }
  parts.library_context = static_cast<void**>(parts.image->Lookup("__tvm_ffi__library_ctx"));
  parts.times.code_ms = parts.image->times().code_ms;
  parts.times.link_ms = parts.image->times().link_ms + Milliseconds(linking);
  parts.sites = std::make_unique<SiteDescriber>(std::move(ir_text));
  return result;
}

absl::StatusOr<RunResult> SanitizedModule::Run(const std::string& entry,
                                               std::span<const contract::Argument> arguments,
                                               const RunOptions& options) {
  const auto& packed = parts_->prepared.packed_functions;
  if (std::find(packed.begin(), packed.end(), entry) == packed.end()) {
    return absl::NotFoundError(fmt::format("the module has no packed function '{}'", entry));
  }
  void* function = parts_->image->Lookup(entry);
  if (function == nullptr) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' cannot be linked: the module imports a symbol that neither the contract runtime nor "
        "this process has",
        entry));
  }
  const RunnableCode code{.prepared = parts_->prepared,
                          .image = *parts_->image,
                          .sites = *parts_->sites,
                          .library_context = parts_->library_context,
                          .tracks_initialisation = parts_->options.initialisation};
  return RunOnce(code, reinterpret_cast<contract::PackedFunction>(function), arguments, options);
}

}  // namespace irate::sanitized
