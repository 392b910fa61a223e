#include "execution/sanitized/jit.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <chrono>
#include <mutex>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace irate::sanitized {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

absl::Status Failed(std::string_view what, llvm::Error error) {
  return absl::InternalError(fmt::format("{}: {}", what, llvm::toString(std::move(error))));
}

absl::StatusOr<llvm::orc::JITTargetMachineBuilder> HostMachine(bool optimise) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return Failed("cannot detect the host's processor", builder.takeError());
  builder->setCodeGenOptLevel(optimise ? llvm::CodeGenOptLevel::Default
                                       : llvm::CodeGenOptLevel::None);
  llvm::TargetOptions options;
  options.EnableFastISel = !optimise;
  builder->getOptions() = options;
  return std::move(*builder);
}

absl::StatusOr<std::unique_ptr<llvm::MemoryBuffer>> Compile(llvm::Module& module,
                                                            llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  llvm::MCContext* context = nullptr;
  if (machine.addPassesToEmitMC(passes, context, stream, /*DisableVerify=*/true)) {
    return absl::InternalError("the host's code generator emits no objects");
  }
  passes.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), "module.o", false);
}

struct LoadedSection {
  uint64_t index = 0;
  uint64_t size = 0;
  uintptr_t address = 0;
};

}  // namespace

struct JitImage::Parts {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<llvm::MemoryBuffer> object;  // a copy, with its line table
  std::vector<LoadedSection> sections;
  // Made when the first address is asked for.
  std::unique_ptr<llvm::object::ObjectFile> file;
  std::unique_ptr<llvm::DWARFContext> debug;
};

JitImage::JitImage() : parts_(std::make_unique<Parts>()) {}
JitImage::~JitImage() = default;

absl::StatusOr<std::unique_ptr<JitImage>> JitImage::Create(
    std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
    const Symbols& symbols, bool optimise) {
  const Clock::time_point start = Clock::now();
  absl::StatusOr<llvm::orc::JITTargetMachineBuilder> builder = HostMachine(optimise);
  if (!builder.ok()) return builder.status();
  auto machine = builder->createTargetMachine();
  if (!machine) return Failed("cannot make the host's code generator", machine.takeError());
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  absl::StatusOr<std::unique_ptr<llvm::MemoryBuffer>> object = Compile(*module, **machine);
  if (!object.ok()) return object.status();
  module.reset();
  context.reset();

  std::unique_ptr<JitImage> image(new JitImage());
  image->times_.code_ms = Milliseconds(start);
  const Clock::time_point linking = Clock::now();
  Parts& parts = *image->parts_;
  auto jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(*std::move(builder))
          .setObjectLinkingLayerCreator(
              [&parts](llvm::orc::ExecutionSession& session)
                  -> llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>> {
                auto layer = std::make_unique<llvm::orc::RTDyldObjectLinkingLayer>(
                    session, [](const llvm::MemoryBuffer&) {
                      return std::make_unique<llvm::SectionMemoryManager>();
                    });
                layer->setNotifyLoaded([&parts](llvm::orc::MaterializationResponsibility&,
                                                const llvm::object::ObjectFile& file,
                                                const llvm::RuntimeDyld::LoadedObjectInfo& info) {
                  for (const llvm::object::SectionRef& section : file.sections()) {
                    if (!section.isText()) continue;
                    parts.sections.push_back(
                        {section.getIndex(), section.getSize(),
                         static_cast<uintptr_t>(info.getSectionLoadAddress(section))});
                  }
                });
                return layer;
              })
          .create();
  if (!jit) return Failed("cannot start the JIT", jit.takeError());
  parts.jit = std::move(*jit);
  llvm::orc::JITDylib& library = parts.jit->getMainJITDylib();
  llvm::orc::SymbolMap map;
  for (const auto& [name, address] : symbols) {
    map[parts.jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                             llvm::JITSymbolFlags::Exported};
  }
  if (llvm::Error error = library.define(llvm::orc::absoluteSymbols(std::move(map)))) {
    return Failed("cannot define the runtime's symbols", std::move(error));
  }
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      parts.jit->getDataLayout().getGlobalPrefix());
  if (!process) return Failed("cannot read this process's symbols", process.takeError());
  library.addGenerator(std::move(*process));
  parts.object = llvm::MemoryBuffer::getMemBufferCopy((*object)->getBuffer(), "module.o");
  if (llvm::Error error = parts.jit->addObjectFile(*std::move(object))) {
    return Failed("cannot load the compiled module", std::move(error));
  }
  image->times_.link_ms = Milliseconds(linking);
  return image;
}

void* JitImage::Lookup(const std::string& name) const {
  auto address = parts_->jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<void*>();
}

bool JitImage::Contains(uintptr_t pc) const {
  for (const LoadedSection& section : parts_->sections) {
    if (pc >= section.address && pc < section.address + section.size) return true;
  }
  return false;
}

uint32_t JitImage::SiteOf(uintptr_t pc) const {
  for (const LoadedSection& section : parts_->sections) {
    if (pc < section.address || pc >= section.address + section.size) continue;
    if (parts_->debug == nullptr) {
      auto file = llvm::object::ObjectFile::createObjectFile(parts_->object->getMemBufferRef());
      if (!file) {
        llvm::consumeError(file.takeError());
        return 0;
      }
      parts_->file = std::move(*file);
      parts_->debug = llvm::DWARFContext::create(*parts_->file);
    }
    const std::optional<llvm::DILineInfo> line =
        parts_->debug->getLineInfoForAddress({pc - section.address, section.index});
    return line ? line->Line : 0;
  }
  return 0;
}

}  // namespace irate::sanitized
