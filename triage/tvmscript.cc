#include "triage/tvmscript.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

#include "fmt/format.h"

namespace irate {
namespace {

// Splits at the commas that no parenthesis encloses.
std::vector<std::string> SplitTopLevel(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : 0;
    depth -= c == ')' || c == ']' ? 1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

// Where the parenthesis that opens at `open` closes; npos if it does not.
size_t Closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool HasName(std::string_view text) {
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return true;
  }
  return false;
}

std::string_view WithoutIndent(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// Replaces the parameter and appends the statement that takes its place; false if its shape is
// constant.
bool MatchParameter(std::string* parameter, std::vector<std::string>* matches) {
  constexpr std::string_view kBuffer = ": T.Buffer(";
  const size_t annotation = parameter->find(kBuffer);
  if (annotation == std::string::npos) return false;
  const size_t open = annotation + kBuffer.size() - 1;
  const size_t shape_end = Closing(*parameter, open + 1);
  const size_t end = Closing(*parameter, open);
  if (shape_end == std::string::npos || end == std::string::npos) return false;
  std::string shape = parameter->substr(open + 1, shape_end - open);
  if (!HasName(shape)) return false;
  std::erase(shape, '"');
  const std::string rest = parameter->substr(shape_end + 1, end - shape_end - 1);
  const std::string name = parameter->substr(0, annotation);
  matches->push_back(fmt::format("{} = T.match_buffer({}_handle, {}{})", name, name, shape, rest));
  *parameter = fmt::format("{}_handle: T.handle", name);
  return true;
}

}  // namespace

std::string MatchSymbolicBuffers(std::string_view script) {
  static const std::regex* const kDefinition =
      new std::regex(R"(^\s+\w+(, \w+)* = T\.u?int\d+\(\)(, T\.u?int\d+\(\))*$)");
  std::string out;
  std::vector<std::string> pending;
  while (!script.empty()) {
    const size_t length = std::min(script.find('\n'), script.size());
    std::string line(script.substr(0, length));
    const bool ended = length < script.size();
    script.remove_prefix(length + (ended ? 1 : 0));
    const std::string_view body = WithoutIndent(line);
    const bool is_head = body.starts_with("def ");
    if (!pending.empty() && !is_head && !std::regex_match(line, *kDefinition) &&
        !body.starts_with("T.func_attr") && !body.starts_with("#")) {
      const std::string indent(line.size() - body.size(), ' ');
      for (const std::string& match : pending) out += fmt::format("{}{}\n", indent, match);
      pending.clear();
    }
    const size_t open = line.find('(');
    const size_t close = is_head && open != std::string::npos ? Closing(line, open) : open;
    if (is_head && close != std::string::npos) {
      std::vector<std::string> parameters =
          SplitTopLevel(std::string_view(line).substr(open + 1, close - open - 1));
      for (std::string& parameter : parameters) {
        parameter = WithoutIndent(parameter);
        MatchParameter(&parameter, &pending);
      }
      line = fmt::format("{}({}){}", line.substr(0, open), fmt::join(parameters, ", "),
                         line.substr(close + 1));
    }
    out += line;
    if (ended) out += '\n';
  }
  return out;
}

}  // namespace irate
