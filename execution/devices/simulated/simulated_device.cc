#include "execution/devices/simulated/simulated_device.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/poison.h"
#include "execution/devices/simulated/executor.h"
#include "execution/devices/simulated/kernel_compiler.h"
#include "execution/devices/simulated/memory_map.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::devices {
namespace {

// What TVM's OpenCL target promises to keep to, unless its description says otherwise.
constexpr uint64_t kMaxItemsInGroup = 1024;
constexpr uint8_t kFill = 0xC3;
constexpr uint8_t kOtherFill = 0x3A;

class SimulatedProgram : public Program {
 public:
  explicit SimulatedProgram(std::unique_ptr<CompiledProgram> compiled)
      : compiled_(std::move(compiled)) {}
  std::vector<std::string> Kernels() const override {
    std::vector<std::string> names;
    for (const CompiledKernel& kernel : compiled_->kernels()) names.push_back(kernel.name);
    return names;
  }
  const CompiledProgram& compiled() const { return *compiled_; }

 private:
  std::unique_ptr<CompiledProgram> compiled_;
};

std::string Where(const BreachRecord& record) {
  if (record.space == "private") return "private memory";
  if (record.buffer.empty()) return "memory of nothing on the device";
  return fmt::format("byte {} of {} buffer {}, which has {}", record.found.offset, record.space,
                     record.buffer, record.buffer_size);
}

DeviceReport Describe(const BreachRecord& record, const CompiledProgram& program,
                      const std::string& kernel) {
  const Access& access = record.found.access;
  DeviceReport report;
  report.kernel = kernel;
  report.place = program.Place(access.pc);
  const char* verb = access.write ? "write" : "read";
  if (record.found.breach == Breach::kRace) {
    report.kind = fmt::format("order.race.{}", record.space);
    report.detail = fmt::format("{} between work-items of {}: {}, at {}", record.found.what,
                                record.found.between_groups ? "different groups" : "one group",
                                record.work_item, Where(record));
  } else {
    report.kind = fmt::format("memory.out-of-bounds.{}.{}", verb,
                              record.space.empty() ? "wild" : record.space);
    report.detail = fmt::format("{} of {} bytes at {}, by {}", verb, access.size, Where(record),
                                record.work_item);
  }
  return report;
}

class SimulatedDevice : public Device {
 public:
  explicit SimulatedDevice(std::unique_ptr<MemoryMap> memory)
      : memory_(std::move(memory)), executor_(memory_.get()) {}

  std::string Name() const override { return "simulated"; }
  std::string Describe() const override {
    return "OpenCL C by libclang on this processor; bounds, races, barriers and order are checked";
  }
  bool Accepts(Language language) const override { return language == Language::kOpenClC; }

  absl::StatusOr<void*> Allocate(size_t size, const std::string& name) override {
    IRATE_ASSIGN_OR_RETURN(Allocation * allocation, memory_->Allocate(size, name, Space::kGlobal));
    FillUninitialised(*allocation, kFill);
    return static_cast<void*>(allocation->data());
  }

  void Free(void* memory) override {
    if (const Allocation* allocation = memory_->At(memory)) memory_->Free(allocation);
  }

  absl::Status CopyIn(void* to, size_t offset, std::span<const uint8_t> bytes) override {
    IRATE_ASSIGN_OR_RETURN(uint8_t* data, Range(to, offset, bytes.size()));
    std::copy(bytes.begin(), bytes.end(), data);
    return absl::OkStatus();
  }

  absl::Status CopyOut(const void* from, size_t offset, std::span<uint8_t> bytes) override {
    IRATE_ASSIGN_OR_RETURN(const uint8_t* data, Range(from, offset, bytes.size()));
    std::copy_n(data, bytes.size(), bytes.begin());
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<Program>> Load(const std::string& source,
                                                Language language) override {
    if (!Accepts(language)) return absl::UnimplementedError("the language of the source");
    IRATE_ASSIGN_OR_RETURN(std::unique_ptr<CompiledProgram> compiled,
                           CompiledProgram::Compile(source));
    return std::make_unique<SimulatedProgram>(std::move(compiled));
  }

  absl::Status Launch(Program& program, const std::string& kernel, const LaunchShape& shape,
                      std::span<const KernelArgument> arguments) override;
  absl::Status Synchronise() override { return absl::OkStatus(); }
  void Reset() override {
    memory_->Reset();
    reports_.clear();
  }
  std::vector<DeviceReport> TakeReports() override { return std::exchange(reports_, {}); }

 private:
  // In the order of addresses: reports come in the same order every time.
  using Snapshot = std::vector<std::pair<Allocation*, std::vector<uint8_t>>>;

  absl::StatusOr<uint8_t*> Range(const void* memory, size_t offset, size_t size) {
    const Allocation* allocation = memory_->At(memory);
    if (allocation == nullptr) return absl::InvalidArgumentError("no memory of this device");
    if (offset > allocation->size || size > allocation->size - offset) {
      return absl::OutOfRangeError(fmt::format("bytes {} to {} of the {} of buffer {}", offset,
                                               offset + size, allocation->size, allocation->name));
    }
    return allocation->data() + offset;
  }

  Snapshot Take() {
    Snapshot snapshot;
    memory_->ForEach([&](Allocation& allocation) {
      snapshot.emplace_back(&allocation, std::vector<uint8_t>(allocation.data(),
                                                              allocation.data() + allocation.size));
    });
    return snapshot;
  }
  static void Restore(const Snapshot& snapshot) {
    for (const auto& [allocation, bytes] : snapshot) {
      std::memcpy(allocation->data(), bytes.data(), bytes.size());
    }
  }
  void CompareOrders(const Snapshot& forwards, const std::string& kernel);
  void Record(const RunOutcome& outcome, const CompiledProgram& program, const std::string& kernel);

  std::unique_ptr<MemoryMap> memory_;
  Executor executor_;
  std::vector<DeviceReport> reports_;
};

void SimulatedDevice::Record(const RunOutcome& outcome, const CompiledProgram& program,
                             const std::string& kernel) {
  for (const BreachRecord& breach : outcome.breaches) {
    reports_.push_back(irate::devices::Describe(breach, program, kernel));
  }
  if (!outcome.divergence) return;
  const Divergence& found = *outcome.divergence;
  DeviceReport report;
  report.kind = "order.divergence";
  report.kernel = kernel;
  report.place = program.Place(found.first_barrier);
  report.detail = fmt::format(
      "group ({}, {}, {}): {} work-items wait at a barrier, {}", found.group[0], found.group[1],
      found.group[2], found.waiting,
      found.other_barrier != nullptr
          ? fmt::format("some of them at another one, {}", program.Place(found.other_barrier))
          : fmt::format("{} have ended", found.ended));
  reports_.push_back(std::move(report));
}

void SimulatedDevice::CompareOrders(const Snapshot& forwards, const std::string& kernel) {
  for (const auto& [allocation, bytes] : forwards) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (allocation->data()[i] == bytes[i]) continue;
      reports_.push_back(
          {.kind = "order.dependent",
           .kernel = kernel,
           .place = fmt::format("buffer {}", allocation->name),
           .detail = fmt::format("byte {} of buffer {} depends on the order of groups and "
                                 "work-items, or on what shared memory held before",
                                 i, allocation->name)});
      return;
    }
  }
}

absl::Status SimulatedDevice::Launch(Program& program, const std::string& kernel,
                                     const LaunchShape& shape,
                                     std::span<const KernelArgument> arguments) {
  const CompiledProgram& compiled = static_cast<SimulatedProgram&>(program).compiled();
  const CompiledKernel* code = compiled.Find(kernel);
  if (code == nullptr) return absl::InvalidArgumentError(fmt::format("no kernel {}", kernel));
  if (code->parameters.size() != arguments.size()) {
    return absl::InvalidArgumentError(fmt::format("kernel {} has {} parameters, not {}", kernel,
                                                  code->parameters.size(), arguments.size()));
  }
  if (shape.ItemsInGroup() == 0 || shape.Groups() == 0) {
    return absl::InvalidArgumentError(fmt::format("kernel {}: an extent of zero", kernel));
  }
  if (shape.ItemsInGroup() > kMaxItemsInGroup) {
    return absl::UnimplementedError(fmt::format("{} work-items in a group, more than {}",
                                                shape.ItemsInGroup(), kMaxItemsInGroup));
  }
  if (shape.dynamic_shared_bytes != 0) return absl::UnimplementedError("dynamic shared memory");
  std::vector<uint64_t> values(arguments.size());
  std::vector<void*> pointers(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument& argument = arguments[i];
    const KernelParameter& parameter = code->parameters[i];
    const bool is_buffer = argument.size == 0;
    if (is_buffer != parameter.is_pointer || (!is_buffer && argument.size != parameter.size)) {
      return absl::InvalidArgumentError(
          fmt::format("kernel {}: argument {} is {} of {} bytes, the parameter {} of {}", kernel, i,
                      is_buffer ? "a buffer" : "a scalar", is_buffer ? 8 : argument.size,
                      parameter.is_pointer ? "a buffer" : "a scalar", parameter.size));
    }
    values[i] = is_buffer ? reinterpret_cast<uint64_t>(argument.buffer) : argument.bits;
    pointers[i] = &values[i];
  }
  const Snapshot before = Take();
  IRATE_ASSIGN_OR_RETURN(const RunOutcome first, executor_.Run(code->entry, pointers.data(), shape,
                                                               compiled.shared(), {.fill = kFill}));
  Record(first, compiled, kernel);
  if (!first.completed) return absl::AbortedError("the kernel was stopped");
  if (!first.breaches.empty()) return absl::OkStatus();
  const Snapshot after = Take();
  Restore(before);
  IRATE_ASSIGN_OR_RETURN(const RunOutcome second,
                         executor_.Run(code->entry, pointers.data(), shape, compiled.shared(),
                                       {.backwards = true, .fill = kOtherFill}));
  Record(second, compiled, kernel);
  if (second.completed && second.breaches.empty()) CompareOrders(after, kernel);
  Restore(after);
  return second.completed ? absl::OkStatus() : absl::AbortedError("the kernel was stopped");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> MakeSimulatedDevice() {
  if (!contract::AsanPresent()) {
    return absl::FailedPreconditionError("this process has no AddressSanitizer");
  }
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<MemoryMap> memory, MemoryMap::Create());
  return std::make_unique<SimulatedDevice>(std::move(memory));
}

}  // namespace irate::devices
