// Memory as the interpreter sees it: objects of bytes, and beside the bytes what is known about the
// values in them.
//
// An object is cut into granules of one size, that of its element type. Each has flags (Flag bits),
// and an object that holds more than plain values has a record per granule. Views of another type
// work on the same bytes:
//  * a wider access covers several granules and keeps its record at the first of them;
//  * a narrower one makes the granules smaller, and records turn into plain bytes;
//  * a value read as another type than it was written as is a new term. Where what was written was
//    not exact, so that its bits are not certain, the value read is inconclusive.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/interpreter/bits.h"
#include "ir/interpreter/trap.h"
#include "ir/interpreter/value.h"

namespace irate::interp {

// Records of races; see race.h.
struct Stamp {
  uint32_t writer = 0;
  uint32_t reader = 0;
  uint32_t shared = 0;
};

// Bits of Object::state besides those of Flag.
inline constexpr uint8_t kTail = 32;       // continues the value that starts at a lower granule
inline constexpr uint8_t kHasRecord = 64;  // records[i] belongs to the value that starts here

struct Object {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> state;   // per granule
  std::vector<Record> records;  // per granule, or empty
  std::vector<Stamp> stamps;    // per granule, or empty
  uint32_t granule = 1;         // bytes
  uint32_t doubt_level = 0;     // made inside of so many doubtful branches
  uint32_t shadow_level = 0;    // of them, in so many arms that the machine does not take
  bool alive = false;
  bool adapts = false;    // untouched and without a type: takes that of the first access
  bool is_global = true;  // not of a scope of the device's own: barriers do not order accesses
};

class Memory {
 public:
  explicit Memory(uint64_t limit) : limit_(limit) { objects_.resize(1); }  // 0 is no object

  // A new object of `size` bytes, never written. kMemory if the limit would be exceeded.
  Trap Allocate(uint64_t size, uint32_t granule, uint32_t* id);
  // The same, in place of an object that nothing refers to any more.
  Trap Renew(uint64_t size, uint32_t granule, uint32_t id);
  void Free(uint32_t id);
  bool IsAlive(uint32_t id) const { return id < objects_.size() && objects_[id].alive; }

  Object& object(uint32_t id) { return objects_[id]; }
  const Object& object(uint32_t id) const { return objects_[id]; }

  // `id` is alive. kOutOfBounds if the access is not inside the object. Flags of what was read are
  // in the cell; kPoison says that it was never written.
  Trap Load(uint32_t id, int64_t offset, ScalarType type, Cell* out);
  // `flags` are united with those of the value.
  Trap Store(uint32_t id, int64_t offset, ScalarType type, const Cell& value, uint8_t flags);
  // Leaves the value and unites `flags` with those of the granules it lies in.
  Trap Taint(uint32_t id, int64_t offset, uint32_t size, uint8_t flags);
  void TaintAll(uint32_t id, uint8_t flags);

  // Fills an object with plain values of its granule's type.
  void Fill(uint32_t id, uint64_t offset, const void* data, uint64_t size);

 private:
  bool Contains(const Object& object, int64_t offset, uint32_t size) const {
    return offset >= 0 && static_cast<uint64_t>(offset) + size <= object.bytes.size();
  }
  // Makes accesses of `size` bytes at `offset` whole numbers of granules.
  void Adapt(Object* object, int64_t offset, uint32_t size);
  Trap EnsureRecords(Object* object);
  Trap Charge(uint64_t bytes);
  // Undoes the value that covers granules [first, first + count), parts of it outside included.
  void Detach(Object* object, size_t first, size_t count);
  void LoadWide(const Object& object, int64_t offset, ScalarType type, Cell* out) const;

  std::vector<Object> objects_;
  std::vector<uint32_t> free_;
  uint64_t limit_;
  uint64_t used_ = 0;
};

}  // namespace irate::interp
