#include "oracles/normalise.h"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "fmt/format.h"

namespace irate {
namespace {

constexpr size_t kMaxMessage = 100;

bool IsWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool Contains(std::string_view text, std::string_view piece) {
  return text.find(piece) != std::string_view::npos;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "A_3" where "A" is a name of the program: the compiler numbers its copies.
bool IsProgramName(std::string_view word, const std::set<std::string>& names) {
  if (names.contains(std::string(word))) return true;
  while (!word.empty() && IsDigit(word.back())) word.remove_suffix(1);
  if (names.contains(std::string(word))) return true;
  while (!word.empty() && word.back() == '_') word.remove_suffix(1);
  return !word.empty() && names.contains(std::string(word));
}

std::string NormaliseWord(std::string_view word, const std::set<std::string>& names) {
  if (IsProgramName(word, names)) return "V";
  if (word.starts_with("0x") && word.size() > 2) return "ADDR";
  std::string result;
  for (size_t i = 0; i < word.size(); ++i) {
    if (!IsDigit(word[i])) {
      result.push_back(word[i]);
    } else if (i == 0 || !IsDigit(word[i - 1])) {
      result.push_back('N');
    }
  }
  return result;
}

// "Check failed: (a < b) is false: because ..." without what follows "is false", which holds pieces
// of the program.
std::string_view CutToCondition(std::string_view line) {
  constexpr std::string_view kEnd = " is false";
  if (!Contains(line, "Check failed: (")) return line;
  const size_t end = line.find(kEnd);
  return end == std::string_view::npos ? line : line.substr(0, end + kEnd.size());
}

std::string_view FirstTellingLine(std::string_view message) {
  std::string_view first;
  while (!message.empty()) {
    const size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = Trim(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (line.empty() || line.starts_with("Traceback") || line.starts_with("File \"")) continue;
    if (first.empty()) first = line;
    if (Contains(line, "Check failed")) return line;
  }
  return first;
}

// Ends at the parenthesis of the parameter list and leaves template arguments out.
std::string WithoutTemplatesAndParameters(std::string_view frame) {
  std::string result;
  int depth = 0;
  for (size_t i = 0; i < frame.size(); ++i) {
    const std::string_view rest = frame.substr(i);
    if (depth == 0 && rest.starts_with("(anonymous namespace)")) {
      i += std::string_view("(anonymous namespace)").size() - 1;
      result += "anon";
    } else if (depth == 0 && rest.starts_with("operator")) {
      // operator<, operator(), operator->: the symbols belong to the name.
      const size_t open = rest.find('(', rest.starts_with("operator()") ? 10 : 8);
      return result + std::string(rest.substr(0, open));
    } else if (frame[i] == '<') {
      ++depth;
    } else if (frame[i] == '>') {
      --depth;
    } else if (depth == 0 && frame[i] == '(') {
      break;
    } else if (depth <= 0) {
      result.push_back(frame[i]);
    }
  }
  return result;
}

constexpr auto kNoise = std::to_array<std::string_view>({
    "abort",
    "raise",
    "gsignal",
    "__pthread_kill_implementation",
    "pthread_kill",
    "__libc_message",
    "__assert_fail",
    "__assert_fail_base",
    "operator new",
    "__cxa_throw",
    "std::terminate",
    "__restore_rt",
    "__GI_raise",
    "__GI_abort",
    "??",
});

}  // namespace

std::set<std::string> ProgramNames(const Module& module) {
  std::set<std::string> names;
  for (const Function& function : module.functions()) {
    names.insert(function.name());
    for (const Variable& variable : function.variables()) names.insert(variable.name());
    for (const Buffer& buffer : function.buffers()) names.insert(buffer.name());
  }
  names.erase("");
  return names;
}

std::string NormaliseMessage(std::string_view message, const std::set<std::string>& program_names) {
  const std::string_view line = CutToCondition(FirstTellingLine(message));
  std::string result;
  for (size_t i = 0; i < line.size();) {
    if (!IsWordChar(line[i])) {
      result.push_back(line[i++]);
      continue;
    }
    size_t end = i;
    while (end < line.size() && IsWordChar(line[end])) ++end;
    result += NormaliseWord(line.substr(i, end - i), program_names);
    i = end;
  }
  if (result.size() > kMaxMessage) result.resize(kMaxMessage);
  return result;
}

std::string NormaliseReason(std::string_view reason) {
  reason = reason.substr(0, reason.find_first_of(":[(0123456789"));
  return std::string(Trim(reason));
}

std::string NormaliseFrame(std::string_view frame) {
  frame = Trim(frame);
  frame = frame.substr(0, frame.find(" [clone"));
  frame = frame.substr(0, frame.find("+0x"));
  std::string result = WithoutTemplatesAndParameters(frame);
  // A return type is printed in front of the name of a template function.
  const size_t space = result.rfind(' ');
  if (space != std::string::npos && !Contains(result, "operator")) {
    result.erase(0, space + 1);
  }
  return result;
}

std::string TopFrames(const google::protobuf::RepeatedPtrField<std::string>& frames, int count) {
  std::string result;
  for (const std::string& frame : frames) {
    if (count == 0) break;
    const std::string name = NormaliseFrame(frame);
    if (name.empty() || std::ranges::find(kNoise, name) != kNoise.end()) continue;
    result += fmt::format("{}{}", result.empty() ? "" : ".", name);
    --count;
  }
  return result;
}

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal-{}", signal) : fmt::format("SIG{}", name);
}

}  // namespace irate
