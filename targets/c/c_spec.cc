#include "targets/c/c_spec.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace irate::c_target {

absl::StatusOr<CSpec> ParseSpec(const std::string& options) {
  CSpec spec;
  if (options.empty()) return spec;
  const nlohmann::json json = nlohmann::json::parse(options, nullptr, /*allow_exceptions=*/false);
  const auto fail = [&](const std::string& what) {
    return absl::InvalidArgumentError(
        fmt::format("the options of target c, {}: {}; they look like "
                    R"({{"compiler": "clang-22", "opt": "-O2", "flags": []}})",
                    options, what));
  };
  if (!json.is_object()) return fail("not a JSON object");
  for (const auto& [key, value] : json.items()) {
    if (key == "flags") {
      if (!value.is_array()) return fail("flags is not an array");
      for (const auto& flag : value) {
        if (!flag.is_string()) return fail("a flag is not a string");
        spec.flags.push_back(flag.get<std::string>());
      }
    } else if (key == "compiler" || key == "opt") {
      if (!value.is_string()) return fail(key + " is not a string");
      (key == "opt" ? spec.opt : spec.compiler) = value.get<std::string>();
    } else {
      return fail("unknown key " + key);
    }
  }
  return spec;
}

std::string FormatSpec(const CSpec& spec) {
  nlohmann::json json = {{"compiler", spec.compiler}, {"opt", spec.opt}};
  if (!spec.flags.empty()) json["flags"] = spec.flags;
  return json.dump();
}

}  // namespace irate::c_target
