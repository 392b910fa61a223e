#include "targets/tvm/tvm_library.h"

#include <dlfcn.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {
namespace {

namespace fs = std::filesystem;

constexpr char kLibraryVariable[] = "IRATE_TVM_LIBRARY";

struct sigaction handler_before_tvm;

// libtvm_ffi's initialiser runs before any of ours, except those of .preinit_array. The handler
// that is in place now is the one to put back: AddressSanitizer's, or the default.
void RememberHandler(int, char**, char**) { sigaction(SIGSEGV, nullptr, &handler_before_tvm); }
__attribute__((section(".preinit_array"), used)) void (*remember_handler)(int, char**,
                                                                          char**) = RememberHandler;

// The file of the library that holds `address`.
fs::path LibraryOf(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  fs::path path = fs::canonical(info.dli_fname, error);
  return error ? fs::path(info.dli_fname) : path;
}

fs::path FfiLibrary() { return LibraryOf(reinterpret_cast<const void*>(&TVMFFIGetTypeInfo)); }

// site-packages of the wheel: <site-packages>/tvm_ffi/lib/libtvm_ffi.so.
fs::path SitePackages() { return FfiLibrary().parent_path().parent_path().parent_path(); }

fs::path CompilerLibrary() {
  if (const char* path = std::getenv(kLibraryVariable); path != nullptr && *path != '\0') {
    return path;
  }
  return SitePackages() / "tvm" / "lib" / "libtvm_compiler.so";
}

void RestoreHandler() {
  struct sigaction current;
  if (sigaction(SIGSEGV, nullptr, &current) != 0) return;
  if (current.sa_handler == SIG_DFL || current.sa_handler == SIG_IGN) return;
  const auto* handler = reinterpret_cast<const void*>(current.sa_handler);
  if (LibraryOf(handler) == FfiLibrary()) sigaction(SIGSEGV, &handler_before_tvm, nullptr);
}

// The first error that TVM throws in a process takes 0.2 s, to read the symbols of its libraries
// for the backtrace; those that follow take 0.1 ms.
void LoadSymbols() {
  try {
    Native<"ir.GetOp">(ffi::String("no such operator"));
  } catch (const ffi::Error&) {
  }
}

}  // namespace

absl::Status LoadLibrary() {
  static const absl::Status status = [] {
    constexpr int kKeep = 0;
    setenv("TVM_NUM_THREADS", "2", kKeep);
    setenv("TVM_THREAD_POOL_SPIN_COUNT", "0", kKeep);
    setenv("TVM_BIND_THREADS", "0", kKeep);
    const fs::path path = CompilerLibrary();
    std::error_code error;
    if (!fs::exists(path, error)) {
      return absl::NotFoundError(absl::StrCat(
          "TVM's compiler library ", path.string(), " does not exist; install the wheel with\n",
          "  pip install apache-tvm==0.27.0.post1\n", "or name the library in ", kLibraryVariable));
    }
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat("TVM's compiler library cannot be loaded: ", dlerror()));
    }
    RestoreHandler();
    LoadSymbols();
    return absl::OkStatus();
  }();
  return status;
}

std::string LibraryVersion() {
  const fs::path packages = CompilerLibrary().parent_path().parent_path().parent_path();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(packages, error)) {
    constexpr std::string_view kPrefix = "apache_tvm-";
    constexpr std::string_view kSuffix = ".dist-info";
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) {
      return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    }
  }
  return "unknown";
}

}  // namespace irate::tvm_target
