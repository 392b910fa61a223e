#include "execution/devices/opencl_device.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::devices {
namespace {

absl::Status Check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return absl::OkStatus();
  return absl::InternalError(fmt::format("OpenCL: {} returned {}", what, code));
}

template <typename Query>
std::string Text(Query query) {
  size_t size = 0;
  if (query(0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return "";
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
  return text;
}

std::string DeviceText(cl_device_id device, cl_device_info info) {
  return Text([&](size_t size, void* value, size_t* needed) {
    return clGetDeviceInfo(device, info, size, value, needed);
  });
}

class OpenClProgram : public Program {
 public:
  explicit OpenClProgram(cl_program program) : program_(program) {}
  ~OpenClProgram() override { clReleaseProgram(program_); }
  std::vector<std::string> Kernels() const override {
    const std::string names = Text([&](size_t size, void* value, size_t* needed) {
      return clGetProgramInfo(program_, CL_PROGRAM_KERNEL_NAMES, size, value, needed);
    });
    std::vector<std::string> result;
    for (size_t begin = 0; begin < names.size();) {
      const size_t end = std::min(names.find(';', begin), names.size());
      result.push_back(names.substr(begin, end - begin));
      begin = end + 1;
    }
    return result;
  }
  cl_program get() const { return program_; }

 private:
  cl_program program_;
};

class OpenClDevice : public Device {
 public:
  OpenClDevice(cl_device_id device, cl_context context, cl_command_queue queue)
      : device_(device), context_(context), queue_(queue) {}
  ~OpenClDevice() override {
    Reset();
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  std::string Name() const override { return "opencl"; }
  std::string Describe() const override {
    return fmt::format("OpenCL C on {}, {}", DeviceText(device_, CL_DEVICE_NAME),
                       DeviceText(device_, CL_DEVICE_VERSION));
  }
  bool Accepts(Language language) const override { return language == Language::kOpenClC; }

  absl::StatusOr<void*> Allocate(size_t size, const std::string& /*name*/) override {
    cl_int code = CL_SUCCESS;
    cl_mem memory =
        clCreateBuffer(context_, CL_MEM_READ_WRITE, std::max<size_t>(size, 1), nullptr, &code);
    IRATE_RETURN_IF_ERROR(Check(code, "clCreateBuffer"));
    memory_.insert(memory);
    return static_cast<void*>(memory);
  }
  void Free(void* memory) override {
    const auto found = memory_.find(static_cast<cl_mem>(memory));
    if (found == memory_.end()) return;
    clReleaseMemObject(*found);
    memory_.erase(found);
  }
  absl::Status CopyIn(void* to, size_t offset, std::span<const uint8_t> bytes) override {
    if (bytes.empty()) return absl::OkStatus();
    return Check(clEnqueueWriteBuffer(queue_, static_cast<cl_mem>(to), CL_TRUE, offset,
                                      bytes.size(), bytes.data(), 0, nullptr, nullptr),
                 "clEnqueueWriteBuffer");
  }
  absl::Status CopyOut(const void* from, size_t offset, std::span<uint8_t> bytes) override {
    if (bytes.empty()) return absl::OkStatus();
    return Check(clEnqueueReadBuffer(queue_, static_cast<cl_mem>(const_cast<void*>(from)), CL_TRUE,
                                     offset, bytes.size(), bytes.data(), 0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
  }

  absl::StatusOr<std::unique_ptr<Program>> Load(const std::string& source,
                                                Language language) override;
  absl::Status Launch(Program& program, const std::string& kernel, const LaunchShape& shape,
                      std::span<const KernelArgument> arguments) override;
  absl::Status Synchronise() override { return Check(clFinish(queue_), "clFinish"); }
  void Reset() override {
    clFinish(queue_);
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    memory_.clear();
  }

 private:
  cl_device_id device_;
  cl_context context_;
  cl_command_queue queue_;
  std::set<cl_mem> memory_;
};

absl::StatusOr<std::unique_ptr<Program>> OpenClDevice::Load(const std::string& source,
                                                            Language language) {
  if (!Accepts(language)) return absl::UnimplementedError("the language of the source");
  const char* text = source.data();
  const size_t size = source.size();
  cl_int code = CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(context_, 1, &text, &size, &code);
  IRATE_RETURN_IF_ERROR(Check(code, "clCreateProgramWithSource"));
  auto program = std::make_unique<OpenClProgram>(made);
  code = clBuildProgram(made, 1, &device_, "", nullptr, nullptr);
  if (code == CL_SUCCESS) return program;
  const std::string log = Text([&](size_t room, void* value, size_t* needed) {
    return clGetProgramBuildInfo(made, device_, CL_PROGRAM_BUILD_LOG, room, value, needed);
  });
  const size_t error = log.find("error:");
  return absl::InvalidArgumentError(error == std::string::npos
                                        ? fmt::format("error: build failed ({})", code)
                                        : log.substr(error, log.find('\n', error) - error));
}

absl::Status OpenClDevice::Launch(Program& program, const std::string& kernel,
                                  const LaunchShape& shape,
                                  std::span<const KernelArgument> arguments) {
  if (shape.dynamic_shared_bytes != 0) return absl::UnimplementedError("dynamic shared memory");
  cl_int code = CL_SUCCESS;
  cl_kernel made =
      clCreateKernel(static_cast<OpenClProgram&>(program).get(), kernel.c_str(), &code);
  if (code != CL_SUCCESS) return absl::InvalidArgumentError(fmt::format("no kernel {}", kernel));
  const std::unique_ptr<_cl_kernel, decltype(&clReleaseKernel)> owner(made, clReleaseKernel);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument& argument = arguments[i];
    const auto memory = static_cast<cl_mem>(argument.buffer);
    code = argument.size == 0
               ? clSetKernelArg(made, static_cast<cl_uint>(i), sizeof(memory), &memory)
               : clSetKernelArg(made, static_cast<cl_uint>(i), argument.size, &argument.bits);
    if (code != CL_SUCCESS) {
      return absl::InvalidArgumentError(
          fmt::format("kernel {} does not take argument {} ({})", kernel, i, code));
    }
  }
  size_t global[3];
  size_t local[3];
  for (size_t i = 0; i < 3; ++i) {
    local[i] = shape.items[i];
    global[i] = size_t{shape.groups[i]} * shape.items[i];
  }
  code = clEnqueueNDRangeKernel(queue_, made, 3, nullptr, global, local, 0, nullptr, nullptr);
  if (code == CL_INVALID_WORK_GROUP_SIZE || code == CL_INVALID_WORK_ITEM_SIZE ||
      code == CL_OUT_OF_RESOURCES) {
    return absl::UnimplementedError(fmt::format("a group of {} work-items", shape.ItemsInGroup()));
  }
  IRATE_RETURN_IF_ERROR(Check(code, "clEnqueueNDRangeKernel"));
  return Synchronise();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> MakeOpenClDevice() {
  // PoCL's cache would hand out the binary of an earlier build.
  constexpr int kReplace = 1;
  setenv("POCL_KERNEL_CACHE", "0", kReplace);
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) count = 0;
  for (cl_uint i = 0; i < std::min<cl_uint>(count, 16); ++i) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
      continue;
    }
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    IRATE_RETURN_IF_ERROR(Check(code, "clCreateContext"));
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    IRATE_RETURN_IF_ERROR(Check(code, "clCreateCommandQueue"));
    return std::make_unique<OpenClDevice>(device, context, queue);
  }
  return absl::NotFoundError(
      "no OpenCL device: install an implementation, for example the package pocl-opencl-icd");
}

}  // namespace irate::devices
