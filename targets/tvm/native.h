// Calls of the compiler's registered functions and reads of its nodes' fields, by name.
//
// Internal to targets/tvm: the only header that brings in tvm-ffi. Everything here throws
// tvm::ffi::Error; the functions of tvm_target.h catch it.
#pragma once

#include <tvm/ffi/big_int.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace irate::tvm_target {

namespace ffi = ::tvm::ffi;

using Any = ffi::Any;
using Object = ffi::Object;
using AnyArray = ffi::Array<Any>;
using AnyMap = ffi::Map<ffi::String, Any>;

// A string as a template argument.
template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&literal)[N]) { std::copy_n(literal, N, text); }  // NOLINT
  constexpr std::string_view view() const { return {text, N - 1}; }
};

// The registered function, looked up once. Never released: the compiler's library may go first at
// exit.
template <Name kName>
const ffi::Function& Registered() {
  static const auto& function = *new ffi::Function(ffi::Function::GetGlobalRequired(kName.view()));
  return function;
}

// Native<"tirx.For">(...) calls the registered function "tirx.For".
template <Name kName, typename... Args>
Any Native(Args&&... args) {
  return Registered<kName>()(std::forward<Args>(args)...);
}

// The field of an object of type `kType`, as a value.
template <Name kType, Name kField>
Any Get(const Object* node) {
  static const auto& getter = *new ffi::reflection::FieldGetter(kType.view(), kField.text);
  return getter(node);
}

// Where an object reference is stored in nodes of one type; throws unless the field is one.
size_t ReferenceOffset(std::string_view type, const char* field);

// The object that a field refers to, borrowed from `node`; nullptr if it is null. Saves the
// reference counting of Get, which is most of the time that lifting would take.
template <Name kType, Name kField>
const Object* Ref(const Object* node) {
  static const size_t offset = ReferenceOffset(kType.view(), kField.text);
  return *reinterpret_cast<const Object* const*>(reinterpret_cast<const char*>(node) + offset);
}

// Where a field that is stored as a plain `size` bytes is; throws unless it has that size.
size_t PlainOffset(std::string_view type, const char* field, size_t size);

// A number or enumerator stored in `node` itself.
template <typename T, Name kType, Name kField>
T Plain(const Object* node) {
  static const size_t offset = PlainOffset(kType.view(), kField.text, sizeof(T));
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(node) + offset);
}

// The elements of an Array field. An absent array is empty.
class Elements {
 public:
  explicit Elements(const Object* array) : array_(static_cast<const ffi::ArrayObj*>(array)) {}
  const Any* begin() const { return array_ == nullptr ? nullptr : array_->begin(); }
  const Any* end() const { return array_ == nullptr ? nullptr : array_->end(); }
  size_t size() const { return array_ == nullptr ? 0 : array_->size(); }

 private:
  const ffi::ArrayObj* array_;
};

// The object in `value`, borrowed; nullptr if it holds none.
inline const Object* ObjectOf(const Any& value) { return value.as<Object>(); }

inline std::string ToString(const Any& value) { return std::string(value.cast<ffi::String>()); }

}  // namespace irate::tvm_target
