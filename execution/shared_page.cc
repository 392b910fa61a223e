#include "execution/shared_page.h"

#include <errno.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "absl/status/status.h"

namespace irate {
namespace {

// The two processes see one object only if its atomics need no lock of one of them.
static_assert(std::atomic<uint64_t>::is_always_lock_free);
static_assert(std::atomic<uint32_t>::is_always_lock_free);

}  // namespace

std::vector<uint64_t> CrashRecord::Addresses() const {
  const size_t count = std::min<size_t>(num_addresses.load(), kMaxAddresses);
  return std::vector<uint64_t>(addresses, addresses + count);
}

absl::StatusOr<SharedMapping> SharedMapping::Map(int fd) {
  void* memory = mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return absl::ErrnoToStatus(errno, "cannot map a worker's shared page");
  return SharedMapping(std::launder(static_cast<SharedPage*>(memory)));
}

absl::StatusOr<std::pair<SharedMapping, UniqueFd>> SharedMapping::Create() {
  UniqueFd fd(memfd_create("irate-worker", MFD_CLOEXEC));
  if (!fd.valid()) return absl::ErrnoToStatus(errno, "cannot create a worker's shared page");
  if (ftruncate(fd.get(), sizeof(SharedPage)) != 0) {
    return absl::ErrnoToStatus(errno, "cannot size a worker's shared page");
  }
  absl::StatusOr<SharedMapping> mapping = Map(fd.get());
  if (!mapping.ok()) return mapping.status();
  new (mapping->get()) SharedPage();
  return std::make_pair(*std::move(mapping), std::move(fd));
}

SharedMapping::SharedMapping(SharedMapping&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)) {}

SharedMapping& SharedMapping::operator=(SharedMapping&& other) noexcept {
  std::swap(page_, other.page_);
  return *this;
}

SharedMapping::~SharedMapping() {
  if (page_ != nullptr) munmap(page_, sizeof(SharedPage));
}

}  // namespace irate
