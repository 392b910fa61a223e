// What a printed program starts with: vector types and helper functions, each only if it is used.
//
// A helper is a `static inline` function that gives an operator of the program IR its exact meaning
// where C's own operator has another (floor division, wrap of narrow types, eager selection, bf16
// and fp8 arithmetic, lanes). One Prelude serves all modules of a translation unit.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::c_target {

struct ValueType {
  ScalarType type = VOID;
  uint32_t lanes = 0;
};

class Prelude {
 public:
  // `checked`: what the IR leaves undefined and C does not notice (an index outside its buffer, a
  // narrow shift out of range, a false assumption) ends the process with a report, and UBSan's
  // reports are printed by the program itself, so that no sanitizer runtime is linked.
  explicit Prelude(bool checked) : checked_(checked) {}

  bool checked() const { return checked_; }

  // The C type's name; a vector's struct is defined on first use.
  std::string Type(ScalarType type, uint32_t lanes);
  std::string Type(const ValueType& type) { return Type(type.type, type.lanes); }
  // The same type, for accesses to memory that is also accessed as other types.
  std::string AliasedType(ScalarType type, uint32_t lanes);

  // Defines the function `name` once: `body` (C text) with parameters a0, a1, ... Returns `name`.
  std::string Function(std::string_view name, const ValueType& result,
                       const std::vector<ValueType>& params,
                       const std::function<std::string()>& body);

  // As Function, for a pure expression of the parameters that is applied lane by lane: `scalar`
  // gets the operands of one lane. Operands of one lane are used in every lane.
  std::string Lanewise(std::string_view name, const ValueType& result,
                       const std::vector<ValueType>& params,
                       const std::function<std::string(const std::vector<std::string>&)>& scalar);

  // Fixed pieces of C, kept in prelude_text.h.
  void Need(std::string_view piece);

  std::string Text() const;

 private:
  bool checked_;
  std::set<std::string, std::less<>> defined_;
  std::string text_;
};

}  // namespace irate::c_target
