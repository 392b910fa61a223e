// Properties of modules that a pass or a stage of lowering may promise (ir/pass_map.h): "no block
// has an initialiser any more". Read off the IR alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate {

struct Property {
  std::string_view name;  // "no-block-init"
  std::string_view description;
  // The first offence, in words; nothing if the module has the property.
  std::optional<std::string> (*offence)(const Module& module);
};

// The one list; "idempotent" is in it, without a check: it speaks of two modules.
std::span<const Property> Properties();
std::vector<std::string> PropertyNames();
bool IsProperty(std::string_view name);

// Where `module` breaks the property; nothing for a name that is no property.
std::optional<std::string> Offence(std::string_view property, const Module& module);

}  // namespace irate
