#include "ir/text_names.h"

#include <string_view>
#include <unordered_map>

#include "fmt/format.h"
#include "ir/text_words.h"

namespace irate::text {
namespace {

template <typename Entries>
std::vector<std::string> SpellNames(const Entries& entries) {
  std::unordered_map<std::string_view, int> uses;
  for (const auto& entry : entries) ++uses[entry.name()];
  std::vector<std::string> result;
  result.reserve(static_cast<size_t>(entries.size()));
  for (const auto& entry : entries) {
    std::string name = SpellName(entry.name());
    if (uses[entry.name()] > 1) name += fmt::format("#{}", result.size());
    result.push_back(std::move(name));
  }
  return result;
}

}  // namespace

NameTable::NameTable(const Function& function)
    : variables_(SpellNames(function.variables())), buffers_(SpellNames(function.buffers())) {}

std::string NameTable::Name(const std::vector<std::string>& names, uint32_t id) {
  return id < names.size() ? names[id] : fmt::format("`missing`#{}", id);
}

}  // namespace irate::text
