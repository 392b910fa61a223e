#include "targets/tvm/device_module.h"

#include <tvm/ffi/extra/module.h>

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace irate::tvm_target {
namespace {

constexpr char kDynamicShared[] = "tirx.use_dyn_shared_memory";

// Little-endian numbers of eight bytes and texts with their length before them.
class Reader {
 public:
  explicit Reader(const ffi::Bytes& bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {}

  bool failed() const { return failed_; }
  bool AtEnd() const { return next_ == end_; }
  void Fixed(void* value, size_t size) {
    if (static_cast<size_t>(end_ - next_) < size) {
      failed_ = true;
      std::memset(value, 0, size);
      return;
    }
    std::memcpy(value, next_, size);
    next_ += size;
  }
  uint64_t Number() {
    uint64_t value = 0;
    Fixed(&value, sizeof(value));
    return value;
  }
  // How many of at least one byte each follow.
  uint64_t Count() {
    const uint64_t count = Number();
    if (count <= static_cast<uint64_t>(end_ - next_)) return count;
    failed_ = true;
    return 0;
  }
  std::string Text() {
    std::string text(Count(), '\0');
    Fixed(text.data(), text.size());
    return text;
  }

 private:
  const char* next_;
  const char* end_;
  bool failed_ = false;
};

uint32_t ByteSize(DLDataType type) {
  return static_cast<uint32_t>((type.bits * type.lanes + 7) / 8);
}

devices::KernelArgument ToArgument(const ffi::AnyView& value, DLDataType type) {
  const TVMFFIAny raw = value.CopyToTVMFFIAny();
  devices::KernelArgument argument;
  if (type.code == kDLOpaqueHandle) {
    argument.buffer = raw.v_ptr;
    return argument;
  }
  argument.size = ByteSize(type);
  if (type.code == kDLFloat && type.bits == 32) {
    const auto number = static_cast<float>(raw.v_float64);
    std::memcpy(&argument.bits, &number, sizeof(number));
  } else {
    // Integers, and doubles by their bits.
    argument.bits = static_cast<uint64_t>(raw.v_int64);
  }
  return argument;
}

absl::Status Launch(const KernelInfo& kernel, devices::Program& program, ffi::PackedArgs args,
                    DeviceSession* session) {
  const size_t expected = kernel.arguments.size() + kernel.launch_parameters.size();
  if (static_cast<size_t>(args.size()) != expected) {
    return absl::InvalidArgumentError(absl::StrCat("kernel ", kernel.name, ": launched with ",
                                                   args.size(), " arguments, not ", expected));
  }
  std::vector<devices::KernelArgument> arguments;
  for (const DLDataType type : kernel.arguments) {
    if (type.lanes != 1 || (type.code == kDLFloat && type.bits == 16)) {
      return absl::UnimplementedError(absl::StrCat("kernel ", kernel.name, ": an argument of ",
                                                   int{type.bits}, " bits and ", int{type.lanes},
                                                   " lanes"));
    }
    arguments.push_back(ToArgument(args[static_cast<int>(arguments.size())], type));
  }
  DeviceLaunch launch{.kernel = kernel.name, .shape = {}};
  for (size_t i = 0; i < kernel.launch_parameters.size(); ++i) {
    const std::string& tag = kernel.launch_parameters[i];
    const auto value = args[static_cast<int>(arguments.size() + i)].cast<int64_t>();
    const bool is_group = tag.starts_with("blockIdx.");
    if (value < 0 || value > (int64_t{1} << 31)) {
      return absl::InvalidArgumentError(
          absl::StrCat("kernel ", kernel.name, ": ", tag, " is ", value));
    }
    if (tag == kDynamicShared) {
      launch.shape.dynamic_shared_bytes = static_cast<uint32_t>(value);
    } else if (is_group || tag.starts_with("threadIdx.")) {
      auto& extents = is_group ? launch.shape.groups : launch.shape.items;
      extents.at(static_cast<size_t>(tag.back() - 'x')) = static_cast<uint32_t>(value);
    } else {
      return absl::UnimplementedError(absl::StrCat("the launch parameter ", tag));
    }
  }
  session->fault->Change(&launch.shape, &arguments);
  session->launches.push_back(launch);
  return session->device->Launch(program, kernel.name, launch.shape, arguments);
}

class LaunchModule : public ffi::ModuleObj {
 public:
  LaunchModule(const DeviceCode& code, std::shared_ptr<devices::Program> program)
      : code_(code), program_(std::move(program)) {}

  // What lies between has no virtual destructor; objects are deleted as what they are.
  virtual ~LaunchModule() = default;

  const char* kind() const final { return code_.kind.c_str(); }
  int GetPropertyMask() const final { return ffi::Module::kRunnable; }
  ffi::String InspectSource(const ffi::String& /*format*/) const final { return code_.source; }
  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final {
    for (const KernelInfo& kernel : code_.kernels) {
      if (kernel.name != std::string(name)) continue;
      return ffi::Function::FromPacked(
          [kernel, program = program_](ffi::PackedArgs args, ffi::Any* /*result*/) {
            DeviceSession* session = CurrentSession();
            TVM_FFI_CHECK(session != nullptr, RuntimeError) << "no device session";
            session->status = Launch(kernel, *program, args, session);
            TVM_FFI_CHECK(session->status.ok(), RuntimeError) << "the device has stopped";
          });
    }
    return std::nullopt;
  }

 private:
  const DeviceCode code_;
  const std::shared_ptr<devices::Program> program_;
};

}  // namespace

absl::StatusOr<DeviceCode> ReadDeviceCode(const Any& module) {
  const auto native = module.cast<ffi::Module>();
  DeviceCode code;
  code.kind = native->kind();
  const ffi::Bytes bytes = native->SaveToBytes();
  Reader reader(bytes);
  reader.Text();  // the format
  for (uint64_t count = reader.Count(); count > 0; --count) {
    reader.Text();  // the key, which is the name
    KernelInfo kernel;
    kernel.name = reader.Text();
    for (uint64_t k = reader.Count(); k > 0; --k) {
      DLDataType type;
      reader.Fixed(&type.code, 1);
      reader.Fixed(&type.bits, 1);
      reader.Fixed(&type.lanes, 2);
      kernel.arguments.push_back(type);
    }
    for (uint64_t k = reader.Count(); k > 0; --k) kernel.launch_parameters.push_back(reader.Text());
    for (uint64_t k = reader.Count(); k > 0; --k) {
      int32_t role = 0;
      reader.Fixed(&role, sizeof(role));
    }
    code.kernels.push_back(std::move(kernel));
  }
  code.source = reader.Text();
  if (reader.failed() || !reader.AtEnd()) {
    return absl::InternalError(
        absl::StrCat("a module of kind ", code.kind, " is written in another form"));
  }
  return code;
}

Any MakeLaunchModule(const DeviceCode& code, std::shared_ptr<devices::Program> program) {
  return ffi::Module(ffi::make_object<LaunchModule>(code, std::move(program)));
}

}  // namespace irate::tvm_target
