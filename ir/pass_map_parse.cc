#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "ir/builder.h"
#include "ir/pass_map.h"
#include "ir/properties.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"

namespace irate {

using Json = nlohmann::json;

class PassMapParser {
 public:
  PassMapParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  absl::StatusOr<PassMap> Parse() {
    Json json;
    try {
      json = Json::parse(text_);
    } catch (const Json::parse_error& error) {
      // The message has line and column.
      return absl::InvalidArgumentError(fmt::format("{}: {}", file_, error.what()));
    }
    const bool ok = Fields(json, "the map",
                           {"target", "compiler", "stages", "passes", "pipeline", "options",
                            "left_out", "options_left_out"},
                           {"target", "stages", "passes", "pipeline"}) &&
                    Text(json, "the map", "target", &map_.target_) && Stages(json["stages"]) &&
                    Passes(json["passes"]) && Names() &&
                    Options(json.value("options", Json::array())) && Pipeline(json["pipeline"]) &&
                    LeftOuts(json, "left_out", &map_.left_out_) &&
                    LeftOuts(json, "options_left_out", &map_.options_left_out_) && NoneTwice();
    if (!ok) return error_;
    if (absl::Status status = map_.Check(map_.Pipeline({})); !status.ok()) {
      Fail("\"pipeline\"", "pipeline", std::string(status.message()));
      return error_;
    }
    return std::move(map_);
  }

 private:
  // The line of the first mention of `key`, a JSON string with its quotes; names are unique.
  bool Fail(const std::string& key, const std::string& what, const std::string& problem) {
    const size_t at = text_.find(key);
    const auto line =
        at == std::string_view::npos
            ? 1
            : 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    error_ = absl::InvalidArgumentError(fmt::format("{}:{}: {}: {}", file_, line, what, problem));
    return false;
  }
  bool FailAt(const Json& entry, const std::string& what, const std::string& problem) {
    const std::string name =
        entry.is_object() && entry.contains("name") && entry["name"].is_string()
            ? entry["name"].get<std::string>()
            : "";
    if (name.empty()) return Fail(fmt::format("\"{}\"", SectionOf(what)), what, problem);
    return Fail(fmt::format("\"name\": \"{}\"", name), fmt::format("{} {}", what, name), problem);
  }
  static std::string SectionOf(const std::string& what) {
    if (what == "pass") return "passes";
    if (what == "stage") return "stages";
    return what == "option" ? "options" : what;
  }

  bool Fields(const Json& entry, const std::string& what,
              std::initializer_list<std::string_view> known,
              std::initializer_list<std::string_view> needed) {
    if (!entry.is_object()) return FailAt(entry, what, "is no object");
    for (const auto& [key, value] : entry.items()) {
      if (std::ranges::find(known, key) == known.end()) {
        return FailAt(entry, what, fmt::format("has an unknown field \"{}\"", key));
      }
    }
    for (const std::string_view key : needed) {
      if (!entry.contains(key)) {
        return FailAt(entry, what, fmt::format("the field \"{}\" is missing", key));
      }
    }
    return true;
  }

  bool Text(const Json& entry, const std::string& what, const char* key, std::string* value) {
    if (!entry.contains(key)) return true;
    if (!entry[key].is_string()) {
      return FailAt(entry, what, fmt::format("\"{}\" is no text", key));
    }
    *value = entry[key].get<std::string>();
    return true;
  }

  bool Texts(const Json& entry, const std::string& what, const char* key,
             std::vector<std::string>* values) {
    if (!entry.contains(key)) return true;
    const bool all_text = entry[key].is_array() && std::ranges::all_of(entry[key], [](auto& text) {
                            return text.is_string();
                          });
    if (!all_text) return FailAt(entry, what, fmt::format("\"{}\" is no list of texts", key));
    *values = entry[key].get<std::vector<std::string>>();
    return true;
  }

  bool Flag(const Json& entry, const std::string& what, const char* key, bool* value) {
    if (!entry.contains(key)) return true;
    if (!entry[key].is_boolean()) {
      return FailAt(entry, what, fmt::format("\"{}\" is neither true nor false", key));
    }
    *value = entry[key].get<bool>();
    return true;
  }

  bool Properties(const Json& entry, const std::string& what,
                  const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!IsProperty(name)) {
        return FailAt(entry, what,
                      fmt::format("there is no property \"{}\"; there are: {}", name,
                                  fmt::join(PropertyNames(), ", ")));
      }
    }
    return true;
  }

  bool Stage(const Json& entry, const char* key, int* stage) {
    std::string name;
    if (!Text(entry, "pass", key, &name)) return false;
    if (name.empty()) return true;
    const auto found = std::ranges::find(map_.stages_, name, &StageRule::name);
    if (found == map_.stages_.end()) {
      return FailAt(entry, "pass", fmt::format("\"{}\": there is no stage {}", key, name));
    }
    *stage = static_cast<int>(found - map_.stages_.begin());
    return true;
  }

  bool Value(const Json& entry, const std::string& what, const Json& value, Expr* result) {
    if (value.is_boolean()) {
      *result = build::BoolConst(value.get<bool>());
    } else if (value.is_number_integer()) {
      *result = build::I32Const(value.get<int32_t>());
    } else if (value.is_string()) {
      *result = build::String(value.get<std::string>());
    } else {
      return FailAt(entry, what,
                    fmt::format("the value {} is no truth value, integer or text", value.dump()));
    }
    return true;
  }

  bool Values(const Json& entry, const std::string& what, const Json& list,
              std::vector<Expr>* result) {
    if (!list.is_array()) return FailAt(entry, what, "the values are no list");
    for (const Json& value : list) {
      if (!Value(entry, what, value, &result->emplace_back())) return false;
    }
    return true;
  }

  bool Stages(const Json& list) {
    if (!list.is_array() || list.empty()) return Fail("\"stages\"", "stages", "no list of stages");
    for (const Json& entry : list) {
      StageRule& stage = map_.stages_.emplace_back();
      if (!Fields(entry, "stage", {"name", "reached_by", "holds"}, {"name"}) ||
          !Text(entry, "stage", "name", &stage.name) ||
          !Text(entry, "stage", "reached_by", &stage.reached_by) ||
          !Texts(entry, "stage", "holds", &stage.holds) ||
          !Properties(entry, "stage", stage.holds)) {
        return false;
      }
    }
    return true;
  }

  bool Arguments(const Json& entry, PassRule* pass) {
    if (!entry.contains("args")) {
      pass->args.emplace_back();
      return true;
    }
    if (!entry["args"].is_array() || entry["args"].empty()) {
      return FailAt(entry, "pass", "\"args\" is no list of argument lists");
    }
    for (const Json& args : entry["args"]) {
      if (!Values(entry, "pass", args, &pass->args.emplace_back())) return false;
    }
    return true;
  }

  bool Passes(const Json& list) {
    if (!list.is_array()) return Fail("\"passes\"", "passes", "no list of passes");
    for (const Json& entry : list) {
      PassRule& pass = map_.passes_.emplace_back();
      if (!Fields(entry, "pass",
                  {"name", "from", "until", "leaves", "args", "after", "not_after", "promises",
                   "refuses", "required", "once", "idempotent", "device", "wild", "note"},
                  {"name"}) ||
          !Text(entry, "pass", "name", &pass.name) || !Text(entry, "pass", "note", &pass.note) ||
          !Flag(entry, "pass", "wild", &pass.wild)) {
        return false;
      }
      if (!pass.wild && (!entry.contains("from") || !entry.contains("until"))) {
        return FailAt(entry, "pass", "needs \"from\" and \"until\", or \"wild\": true");
      }
      if (!Stage(entry, "from", &pass.from) || !Stage(entry, "until", &pass.until) ||
          !Stage(entry, "leaves", &pass.leaves) || !Arguments(entry, &pass) ||
          !Texts(entry, "pass", "after", &pass.after) ||
          !Texts(entry, "pass", "not_after", &pass.not_after) ||
          !Texts(entry, "pass", "promises", &pass.promises) ||
          !Properties(entry, "pass", pass.promises) ||
          !Texts(entry, "pass", "refuses", &pass.refuses) ||
          !Flag(entry, "pass", "required", &pass.required) ||
          !Flag(entry, "pass", "once", &pass.once) ||
          !Flag(entry, "pass", "idempotent", &pass.idempotent) ||
          !Flag(entry, "pass", "device", &pass.device)) {
        return false;
      }
      if (pass.from > pass.until) {
        return FailAt(entry, "pass", "\"from\" is a later stage than \"until\"");
      }
      if (pass.leaves >= 0 && pass.leaves < pass.from) {
        return FailAt(entry, "pass", "\"leaves\" is an earlier stage than \"from\"");
      }
      if (!map_.index_.try_emplace(pass.name, static_cast<int>(map_.passes_.size()) - 1).second) {
        return FailAt(entry, "pass", "stands in the map twice");
      }
    }
    return true;
  }

  // Passes that rules name.
  bool Names() {
    for (const PassRule& pass : map_.passes_) {
      for (const auto* names : {&pass.after, &pass.not_after}) {
        for (const std::string& name : *names) {
          if (map_.Find(name) != nullptr) continue;
          return Fail(fmt::format("\"name\": \"{}\"", pass.name), fmt::format("pass {}", pass.name),
                      fmt::format("there is no pass {}", name));
        }
      }
    }
    return true;
  }

  bool Options(const Json& list) {
    if (!list.is_array()) return Fail("\"options\"", "options", "no list of options");
    for (const Json& entry : list) {
      OptionRule& option = map_.options_.emplace_back();
      if (!Fields(entry, "option", {"name", "values", "wild", "note"}, {"name", "values"}) ||
          !Text(entry, "option", "name", &option.name) ||
          !Text(entry, "option", "note", &option.note) ||
          !Flag(entry, "option", "wild", &option.wild) ||
          !Values(entry, "option", entry["values"], &option.values)) {
        return false;
      }
      if (option.values.empty()) return FailAt(entry, "option", "has no values");
    }
    return true;
  }

  bool Pipeline(const Json& list) {
    if (!list.is_array()) return Fail("\"pipeline\"", "pipeline", "no list of passes");
    for (const Json& entry : list) {
      PipelineStep& step = map_.pipeline_.emplace_back();
      std::string name;
      std::vector<Expr> args;
      if (entry.is_string()) {
        name = entry.get<std::string>();
      } else if (!Fields(entry, "pipeline", {"pass", "args", "if", "unless"}, {"pass"}) ||
                 !Text(entry, "pipeline", "pass", &name) ||
                 !Text(entry, "pipeline", "if", &step.if_option) ||
                 !Text(entry, "pipeline", "unless", &step.unless_option) ||
                 !Values(entry, "pipeline", entry.value("args", Json::array()), &args)) {
        return false;
      }
      if (map_.Find(name) == nullptr) {
        return Fail("\"pipeline\"", "pipeline", fmt::format("there is no pass {}", name));
      }
      step.step.set_name(name);
      for (Expr& arg : args) *step.step.add_args() = std::move(arg);
    }
    return true;
  }

  bool LeftOuts(const Json& json, const char* key, std::vector<LeftOut>* result) {
    if (!json.contains(key)) return true;
    if (!json[key].is_array()) return Fail(fmt::format("\"{}\"", key), key, "no list");
    for (const Json& entry : json[key]) {
      LeftOut& left = result->emplace_back();
      if (!Fields(entry, key, {"name", "why"}, {"name", "why"}) ||
          !Text(entry, key, "name", &left.name) || !Text(entry, key, "why", &left.why)) {
        return false;
      }
    }
    return true;
  }

  bool NoneTwice() {
    std::set<std::string> names;
    const auto add = [&](const auto& list, const std::string& what) {
      for (const auto& entry : list) {
        if (!names.insert(entry.name).second) {
          return Fail(fmt::format("\"name\": \"{}\"", entry.name),
                      fmt::format("{} {}", what, entry.name), "stands in the map twice");
        }
      }
      return true;
    };
    return add(map_.stages_, "stage") && add(map_.passes_, "pass") &&
           add(map_.left_out_, "left_out") && add(map_.options_, "option") &&
           add(map_.options_left_out_, "options_left_out");
  }

  const std::string_view text_;
  const std::string& file_;
  PassMap map_;
  absl::Status error_;
};

absl::StatusOr<PassMap> PassMap::Parse(std::string_view json, const std::string& file) {
  return PassMapParser(json, file).Parse();
}

}  // namespace irate
