#include "ir/interpreter/memory.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ir/interpreter/bits.h"

namespace irate::interp {
namespace {

uint64_t ReadBits(const Object& object, int64_t offset, uint32_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, object.bytes.data() + offset, size);
  return bits;
}

}  // namespace

Trap Memory::Charge(uint64_t bytes) {
  if (bytes > limit_ - std::min(limit_, used_)) return Trap::kMemory;
  used_ += bytes;
  return Trap::kNone;
}

Trap Memory::Allocate(uint64_t size, uint32_t granule, uint32_t* id) {
  if (free_.empty()) {
    // The table itself is memory that a program can make grow.
    if (Trap trap = Charge(sizeof(Object)); trap != Trap::kNone) return trap;
    objects_.emplace_back();
    *id = static_cast<uint32_t>(objects_.size() - 1);
  } else {
    *id = free_.back();
    free_.pop_back();
  }
  return Renew(size, granule, *id);
}

Trap Memory::Renew(uint64_t size, uint32_t granule, uint32_t id) {
  Object& object = objects_[id];
  used_ -= object.bytes.size() + object.state.size() + object.records.size() * sizeof(Record);
  const uint64_t granules = size / granule;
  const Trap trap = size > limit_ ? Trap::kMemory : Charge(size + granules);
  if (trap != Trap::kNone) {
    object = Object();
    return trap;
  }
  object.bytes.assign(size, 0);
  object.state.assign(granules, kPoison);
  object.records.clear();
  object.stamps.clear();
  object.granule = granule;
  object.alive = true;
  object.adapts = false;
  object.doubt_level = 0;
  object.shadow_level = 0;
  object.is_global = true;
  return Trap::kNone;
}

void Memory::Free(uint32_t id) {
  Object& object = objects_[id];
  if (!object.alive) return;
  used_ -= object.bytes.size() + object.state.size() + object.records.size() * sizeof(Record);
  object = Object();
  free_.push_back(id);
}

Trap Memory::EnsureRecords(Object* object) {
  if (!object->records.empty()) return Trap::kNone;
  if (Trap trap = Charge(object->state.size() * sizeof(Record)); trap != Trap::kNone) return trap;
  object->records.resize(object->state.size());
  return Trap::kNone;
}

void Memory::Adapt(Object* object, int64_t offset, uint32_t size) {
  if (object->adapts) {
    object->adapts = false;
    if (offset % size != 0 || object->bytes.size() % size != 0) return;
    used_ -= object->state.size();
    object->granule = size;
    object->state.assign(object->bytes.size() / size, kPoison);
    used_ += object->state.size();
    return;
  }
  const uint32_t wanted =
      std::gcd(std::gcd(object->granule, size), static_cast<uint32_t>(offset % object->granule));
  if (wanted == object->granule) return;
  const uint32_t parts = object->granule / wanted;
  std::vector<uint8_t> state(object->state.size() * parts);
  for (size_t i = 0; i < state.size(); ++i) {
    const size_t old = i / parts;
    uint8_t flags = object->state[old] & static_cast<uint8_t>(~(kHasRecord | kTail));
    if ((object->state[old] & (kHasRecord | kTail)) != 0) {
      // Which value it belongs to: the head is at or below it.
      size_t head = old;
      while ((object->state[head] & kTail) != 0) --head;
      const Record& record = object->records[head];
      const uint64_t bits = ReadBits(*object, static_cast<int64_t>(head * object->granule),
                                     static_cast<uint32_t>(ByteSize(record.type)));
      if (!HasCertainBits(record, bits)) flags |= kInconclusive | kLoose;
    }
    state[i] = flags;
  }
  used_ += state.size() - object->state.size();
  used_ -= object->records.size() * sizeof(Record);
  std::vector<Stamp> stamps(object->stamps.size() * parts);
  for (size_t i = 0; i < stamps.size(); ++i) stamps[i] = object->stamps[i / parts];
  object->state = std::move(state);
  object->stamps = std::move(stamps);
  object->records.clear();
  object->granule = wanted;
}

void Memory::Detach(Object* object, size_t first, size_t count) {
  const auto strip = [object](size_t head) {
    const Record record = object->records[head];
    const uint64_t bits = ReadBits(*object, static_cast<int64_t>(head * object->granule),
                                   static_cast<uint32_t>(ByteSize(record.type)));
    const uint8_t doubt = HasCertainBits(record, bits) ? 0 : kInconclusive | kLoose;
    size_t i = head;
    do {
      object->state[i] = static_cast<uint8_t>((object->state[i] & ~(kHasRecord | kTail)) | doubt);
      ++i;
    } while (i < object->state.size() && (object->state[i] & kTail) != 0);
  };
  if ((object->state[first] & kTail) != 0) {
    size_t head = first;
    while ((object->state[head] & kTail) != 0) --head;
    strip(head);
  }
  const size_t last = first + count;
  for (size_t i = first; i < last; ++i) {
    if ((object->state[i] & kHasRecord) != 0 && last < object->state.size() &&
        (object->state[last] & kTail) != 0) {
      strip(i);
    }
  }
}

void Memory::LoadWide(const Object& object, int64_t offset, ScalarType type, Cell* out) const {
  const auto size = static_cast<uint32_t>(ByteSize(type));
  const size_t first = static_cast<size_t>(offset) / object.granule;
  const size_t count = size / object.granule;
  const uint64_t bits = ReadBits(object, offset, size);
  uint8_t flags = 0;
  for (size_t i = first; i < first + count; ++i) flags |= object.state[i];
  const uint8_t doubts = flags & static_cast<uint8_t>(~(kHasRecord | kTail));
  if ((flags & (kHasRecord | kTail)) == 0) return SetFromBits(type, bits, doubts, out);
  const auto ends_at = [&object](size_t i) {
    return i >= object.state.size() || (object.state[i] & kTail) == 0;
  };
  const bool is_whole = (object.state[first] & kTail) == 0 && ends_at(first + count);
  if (is_whole && (object.state[first] & kHasRecord) != 0) {
    const Record& record = object.records[first];
    if (record.type == type) return SetFromRecord(record, bits, doubts, out);
    if (ByteSize(record.type) == static_cast<int>(size)) {
      return SetFromForeign(record, bits, type, doubts, out);
    }
  }
  // Parts of several values.
  uint8_t doubt = doubts;
  size_t head = first;
  while (head > 0 && (object.state[head] & kTail) != 0) --head;
  for (; head < first + count; ++head) {
    if ((object.state[head] & kHasRecord) == 0) continue;
    const Record& record = object.records[head];
    const uint64_t written = ReadBits(object, static_cast<int64_t>(head * object.granule),
                                      static_cast<uint32_t>(ByteSize(record.type)));
    if (!HasCertainBits(record, written)) doubt |= kInconclusive | kLoose;
  }
  SetFromBits(type, bits, doubt, out);
}

Trap Memory::Load(uint32_t id, int64_t offset, ScalarType type, Cell* out) {
  Object& object = objects_[id];
  const auto size = static_cast<uint32_t>(ByteSize(type));
  if (!Contains(object, offset, size)) return Trap::kOutOfBounds;
  if (size < object.granule || offset % object.granule != 0 || object.adapts) [[unlikely]] {
    Adapt(&object, offset, size);
  }
  if (size != object.granule) [[unlikely]] {
    LoadWide(object, offset, type, out);
    return Trap::kNone;
  }
  const size_t index = static_cast<size_t>(offset) / size;
  const uint8_t state = object.state[index];
  const uint64_t bits = ReadBits(object, offset, size);
  if ((state & (kHasRecord | kTail)) == 0) {
    SetFromBits(type, bits, state, out);
    return Trap::kNone;
  }
  if ((state & kTail) == 0 && object.records[index].type == type) {
    SetFromRecord(object.records[index], bits, state & static_cast<uint8_t>(~kHasRecord), out);
    return Trap::kNone;
  }
  LoadWide(object, offset, type, out);
  return Trap::kNone;
}

Trap Memory::Store(uint32_t id, int64_t offset, ScalarType type, const Cell& value, uint8_t flags) {
  Object& object = objects_[id];
  const auto size = static_cast<uint32_t>(ByteSize(type));
  if (!Contains(object, offset, size)) return Trap::kOutOfBounds;
  if (size < object.granule || offset % object.granule != 0 || object.adapts) [[unlikely]] {
    Adapt(&object, offset, size);
  }
  const size_t first = static_cast<size_t>(offset) / object.granule;
  const size_t count = size / object.granule;
  if (!object.records.empty()) Detach(&object, first, count);
  const uint64_t bits = CellBits(type, value);
  std::memcpy(object.bytes.data() + offset, &bits, size);
  uint8_t state = value.flags | flags;
  if (!IsPlain(type, value)) {
    if (Trap trap = EnsureRecords(&object); trap != Trap::kNone) return trap;
    object.records[first] = RecordOf(type, value);
    state |= kHasRecord;
  }
  object.state[first] = state;
  for (size_t i = first + 1; i < first + count; ++i) {
    const bool is_tail = (state & kHasRecord) != 0;
    object.state[i] = static_cast<uint8_t>((state & ~kHasRecord) | (is_tail ? kTail : 0));
  }
  return Trap::kNone;
}

Trap Memory::Taint(uint32_t id, int64_t offset, uint32_t size, uint8_t flags) {
  Object& object = objects_[id];
  if (!Contains(object, offset, size)) return Trap::kOutOfBounds;
  object.adapts = false;
  const size_t first = static_cast<size_t>(offset) / object.granule;
  const size_t last = (static_cast<size_t>(offset) + size - 1) / object.granule;
  for (size_t i = first; i <= last; ++i) object.state[i] |= flags;
  return Trap::kNone;
}

void Memory::TaintAll(uint32_t id, uint8_t flags) {
  objects_[id].adapts = false;
  for (uint8_t& state : objects_[id].state) state |= flags;
}

void Memory::Fill(uint32_t id, uint64_t offset, const void* data, uint64_t size) {
  Object& object = objects_[id];
  object.adapts = false;
  std::memcpy(object.bytes.data() + offset, data, size);
  const size_t first = offset / object.granule;
  std::fill_n(object.state.begin() + static_cast<std::ptrdiff_t>(first), size / object.granule, 0);
}

}  // namespace irate::interp
