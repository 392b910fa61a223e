#include "execution/sanitized/check_runtime.h"

#include <cstring>

#include "execution/contract/poison.h"
#include "execution/contract/region.h"
#include "execution/sanitized/arithmetic.h"
#include "execution/sanitized/memory_runtime.h"
#include "execution/sanitized/session.h"

namespace irate::sanitized {
namespace {

void CheckAlignment(const void* pointer, uint64_t alignment, uint64_t size, uint32_t kind) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if ((address & (alignment - 1)) == 0) return;
  Session* session = Session::Active();
  if (session == nullptr) return;
  Event event;
  event.kind = ReportKind::kMisaligned;
  event.pc = __builtin_return_address(0);
  event.address = address;
  event.size = size;
  event.access = static_cast<AccessKind>(kind);
  event.left = static_cast<int64_t>(alignment);
  // Parameters of one function are checked at one place.
  event.arithmetic = event.access == AccessKind::kParameter ? static_cast<uint32_t>(size) : 0;
  session->Record(std::move(event));
}

// Two parameters that are the same tensor, or one of which points into the other's: told from
// regions, since a pointer carries no extent.
void CheckNoalias(const void* left, const void* right, uint32_t left_index, uint32_t right_index) {
  Session* session = Session::Active();
  if (session == nullptr) return;
  const auto first = reinterpret_cast<uintptr_t>(left);
  const auto second = reinterpret_cast<uintptr_t>(right);
  const std::optional<contract::Region> region = session->runtime().regions().Find(first);
  if (!region || second < region->begin || second >= region->end) return;
  if (first != region->begin && second != region->begin) return;
  Event event;
  event.kind = ReportKind::kNoaliasOverlap;
  event.pc = __builtin_return_address(0);
  event.address = std::max(first, second);
  event.left = left_index;
  event.right = right_index;
  session->Record(std::move(event));
}

void Undefined(uint32_t code, int64_t left, int64_t right) {
  if (Session* session = Session::Active()) {
    session->RecordArithmetic(code, left, right, __builtin_return_address(0));
  }
}

int64_t Poison(uint32_t code, int64_t left, int64_t right) {
  Session* session = Session::Active();
  if (session == nullptr) return 0;
  Origin origin;
  origin.kind = Origin::Kind::kArithmetic;
  origin.pc = __builtin_return_address(0);
  origin.arithmetic = code;
  origin.left = left;
  origin.right = right;
  ReturnPoison(session->AddOrigin(origin));
  return 0;
}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

const std::vector<std::pair<std::string, void*>>& CheckSymbols() {
  static const auto* symbols = [] {
    auto* all = new std::vector<std::pair<std::string, void*>>{
        {"__irate_check_alignment", Address(CheckAlignment)},
        {"__irate_check_noalias", Address(CheckNoalias)},
        {"__irate_undefined", Address(Undefined)},
        {"__irate_poison", Address(Poison)},
        {"__irate_boundary", Address(ClearCallState)},
    };
    AppendAddressSymbols(*all);
    AppendMemorySymbols(*all);
    return all;
  }();
  return *symbols;
}

}  // namespace irate::sanitized
