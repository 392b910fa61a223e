#include "targets/c/prelude.h"

#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/prelude_text.h"

namespace irate::c_target {

std::string Prelude::Type(ScalarType type, uint32_t lanes) {
  std::string name = CType(type, lanes);
  if (Lanes(lanes) > 1 && defined_.insert(name).second) {
    text_ += fmt::format("typedef struct {{ {} v[{}]; }} {};\n", CType(type, 0), lanes, name);
  }
  return name;
}

std::string Prelude::AliasedType(ScalarType type, uint32_t lanes) {
  std::string name = "irate_alias_" + TypeSuffix(type, lanes);
  const std::string plain = Type(type, lanes);
  if (defined_.insert(name).second) {
    text_ += fmt::format("typedef {} {} __attribute__((may_alias));\n", plain, name);
  }
  return name;
}

std::string Prelude::Function(std::string_view name, const ValueType& result,
                              const std::vector<ValueType>& params,
                              const std::function<std::string()>& body) {
  std::string owned(name);
  if (!defined_.insert(owned).second) return owned;
  std::string list;
  for (size_t i = 0; i < params.size(); ++i) {
    list += fmt::format("{}{} a{}", i == 0 ? "" : ", ", Type(params[i]), i);
  }
  const std::string type = Type(result);
  // The body may define further helpers: they must stand before this one.
  const std::string text = body();
  text_ += fmt::format("static inline {} {}({}) {{ {} }}\n", type, owned,
                       params.empty() ? "void" : list, text);
  return owned;
}

std::string Prelude::Lanewise(
    std::string_view name, const ValueType& result, const std::vector<ValueType>& params,
    const std::function<std::string(const std::vector<std::string>&)>& scalar) {
  return Function(name, result, params, [&] {
    std::vector<std::string> operands;
    for (size_t i = 0; i < params.size(); ++i) {
      operands.push_back(fmt::format("a{}{}", i, Lanes(params[i].lanes) > 1 ? ".v[l]" : ""));
    }
    const std::string value = scalar(operands);
    if (Lanes(result.lanes) == 1) return fmt::format("return {};", value);
    return fmt::format("{} r; for (int l = 0; l < {}; ++l) r.v[l] = {}; return r;", Type(result),
                       result.lanes, value);
  });
}

void Prelude::Need(std::string_view piece) {
  if (!defined_.insert(std::string(piece)).second) return;
  for (const PreludePiece& candidate : PreludePieces()) {
    if (candidate.name != piece) continue;
    for (const std::string_view other : candidate.needs) Need(other);
    text_ += candidate.text;
  }
}

std::string Prelude::Text() const {
  std::string result(kPreludeHeader);
  if (checked_) result += kCheckedHeader;
  return result + text_;
}

}  // namespace irate::c_target
