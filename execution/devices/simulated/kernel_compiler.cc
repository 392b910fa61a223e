#include "execution/devices/simulated/kernel_compiler.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <cmath>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "execution/devices/simulated/kernel_ir.h"
#include "execution/sanitized/jit.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

// The bitcode of builtins.cl.
asm(R"(
  .section .rodata
  .globl irate_builtins_begin
  .globl irate_builtins_end
  .balign 16
irate_builtins_begin:
  .incbin ")" IRATE_BUILTINS R"("
irate_builtins_end:
  .byte 0
  .text
)");
extern "C" const char irate_builtins_begin[];
extern "C" const char irate_builtins_end[];

// Of the compiler's support library: conversions that this processor may have no instruction for.
extern "C" float __extendhfsf2(_Float16);  // NOLINT(bugprone-reserved-identifier)
extern "C" _Float16 __truncsfhf2(float);   // NOLINT(bugprone-reserved-identifier)
extern "C" _Float16 __truncdfhf2(double);  // NOLINT(bugprone-reserved-identifier)

namespace irate::devices {
namespace {

// In a folder that no machine has: the source is in memory.
constexpr char kFolder[] = "/irate-kernels/";
constexpr char kFile[] = "/irate-kernels/kernel.cl";
constexpr int kShownErrors = 3;

std::vector<const char*> Arguments() {
  return {"-triple", "x86_64-unknown-linux-gnu", "-target-cpu", "x86-64", "-x", "cl",
          "-cl-std=CL1.2", "-cl-ext=+all", "-finclude-default-header", "-fdeclare-opencl-builtins",
          "-resource-dir", IRATE_CLANG_RESOURCES, "-internal-isystem",
          IRATE_CLANG_RESOURCES "/include",
          // No optimisation but what makes values live in registers; overflow wraps, as it does on
          // devices; halves are rounded after each operation.
          "-O1", "-disable-llvm-passes", "-fwrapv", "-ffp-contract=off",
          "-ffloat16-excess-precision=none", "-debug-info-kind=line-tables-only",
          "-dwarf-version=5", "-w", "-ferror-limit", "20", kFile};
}

// "kernel.cl:3:5: error: ..." lines without their excerpts.
std::string FirstErrors(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string result;
  int count = 0;
  while (std::getline(lines, line) && count < kShownErrors) {
    if (line.find(": error: ") == std::string::npos &&
        line.find(": fatal error: ") == std::string::npos) {
      continue;
    }
    if (count++ > 0) result += "\n";
    result += line.starts_with(kFolder) ? line.substr(sizeof(kFolder) - 1) : line;
  }
  return result.empty() ? text.substr(0, 500) : result;
}

absl::StatusOr<std::unique_ptr<llvm::Module>> ToIr(const std::string& source,
                                                   llvm::LLVMContext& context) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(kFile, 0, llvm::MemoryBuffer::getMemBuffer(source, kFile));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer(stream, options);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, Arguments(),
                                                 compiler.getDiagnostics())) {
    return absl::InternalError(fmt::format("clang does not take its arguments: {}", text));
  }
  compiler.createFileManager();
  compiler.createSourceManager();
  clang::EmitLLVMOnlyAction action(&context);
  if (!compiler.ExecuteAction(action)) {
    return absl::InvalidArgumentError(FirstErrors(text));
  }
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (module == nullptr) return absl::InvalidArgumentError(FirstErrors(text));
  return module;
}

absl::Status LinkBuiltins(llvm::Module& module) {
  const llvm::StringRef bitcode(irate_builtins_begin,
                                static_cast<size_t>(irate_builtins_end - irate_builtins_begin));
  auto library =
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "builtins"), module.getContext());
  if (!library) return absl::InternalError(llvm::toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded)) {
    return absl::InternalError("the built-in functions cannot be linked");
  }
  return absl::OkStatus();
}

// What neither the kernel nor builtins.cl nor the executor has.
absl::Status CheckComplete(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    const llvm::StringRef name = function.getName();
    if (name.starts_with("irate_")) continue;
    return absl::UnimplementedError(fmt::format("the function {}", llvm::demangle(name.str())));
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isConstant() && variable.hasName() && !variable.getName().starts_with("llvm.")) {
      return absl::UnimplementedError(fmt::format("constant data, {}", variable.getName().str()));
    }
  }
  return absl::OkStatus();
}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

sanitized::JitImage::Symbols AllSymbols() {
  sanitized::JitImage::Symbols symbols = Executor::Symbols();
  symbols.emplace_back("irate_erf", Address(static_cast<double (*)(double)>(std::erf)));
  symbols.emplace_back("irate_erff", Address(static_cast<float (*)(float)>(std::erf)));
  symbols.emplace_back("__extendhfsf2", Address(__extendhfsf2));
  symbols.emplace_back("__truncsfhf2", Address(__truncsfhf2));
  symbols.emplace_back("__truncdfhf2", Address(__truncdfhf2));
  return symbols;
}

}  // namespace

struct CompiledProgram::Code {
  std::unique_ptr<sanitized::JitImage> image;
};

CompiledProgram::CompiledProgram() : code_(std::make_unique<Code>()) {}
CompiledProgram::~CompiledProgram() = default;

absl::StatusOr<std::unique_ptr<CompiledProgram>> CompiledProgram::Compile(
    const std::string& source) {
  auto context = std::make_unique<llvm::LLVMContext>();
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<llvm::Module> module, ToIr(source, *context));
  IRATE_RETURN_IF_ERROR(LinkBuiltins(*module));
  IRATE_RETURN_IF_ERROR(CheckComplete(*module));
  std::unique_ptr<CompiledProgram> program(new CompiledProgram());
  program->source_ = source;
  program->kernels_ = AddEntries(*module);
  program->shared_ = MoveSharedArrays(*module);
  MakeDivisionTotal(*module);
  OptimiseAndInstrument(*module);
  IRATE_ASSIGN_OR_RETURN(
      program->code_->image,
      sanitized::JitImage::Create(std::move(module), std::move(context), AllSymbols(), false));
  for (CompiledKernel& kernel : program->kernels_) {
    void* entry = program->code_->image->Lookup(EntryName(kernel.name));
    if (entry == nullptr) {
      return absl::UnimplementedError(
          fmt::format("kernel {} needs a function that this process does not have", kernel.name));
    }
    kernel.entry = reinterpret_cast<KernelEntry>(entry);
  }
  return program;
}

const CompiledKernel* CompiledProgram::Find(const std::string& name) const {
  for (const CompiledKernel& kernel : kernels_) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

std::string CompiledProgram::Place(const void* pc) const {
  // A return address is behind its call.
  const uint32_t line = code_->image->SiteOf(reinterpret_cast<uintptr_t>(pc) - 1);
  if (line == 0) return "";
  std::istringstream lines(source_);
  std::string text;
  for (uint32_t i = 0; i < line && std::getline(lines, text); ++i) {
  }
  const size_t first = text.find_first_not_of(' ');
  return fmt::format("line {}: {}", line, first == std::string::npos ? "" : text.substr(first));
}

}  // namespace irate::devices
