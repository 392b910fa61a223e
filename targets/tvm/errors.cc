#include "targets/tvm/errors.h"

#include <algorithm>
#include <array>
#include <utility>

namespace irate::tvm_target {
namespace {

constexpr size_t kMaxFrames = 32;

// Kinds that only a fault inside the compiler has.
constexpr auto kInternalKinds = std::to_array<std::string_view>(
    {"InternalError", "AssertionError", "IndexError", "KeyError", "AttributeError"});

// What a failed TVM_FFI_ICHECK says in versions that give it another kind.
constexpr std::string_view kInternalCheck = "InternalError: Check failed";

// Frames that say nothing about the cause: raising, the generic walk over nodes, the FFI border.
constexpr auto kSkippedPrefixes = std::to_array<std::string_view>(
    {"tvm::ffi::", "tvm::ObjectMutator::", "tvm::ObjectVisitor::", "TVMFFI", "std::", "<unknown>"});

// The harness's own frames end the compiler's part of the stack. With debug information they have
// this directory and no namespace, without it the namespace and no file.
constexpr std::string_view kOwnDirectory = "targets/tvm/";
constexpr auto kEndPrefixes = std::to_array<std::string_view>({"irate::", "main", "_start"});

bool HasPrefixIn(std::string_view name, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void ReplaceAll(std::string_view from, std::string_view to, std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at)) {
    text->replace(at, from.size(), to);
    at += to.size();
  }
}

// Removes balanced `open`...`close` with what is in between.
std::string WithoutBrackets(std::string_view text, char open, char close) {
  std::string result;
  int depth = 0;
  for (char c : text) {
    if (c == open) ++depth;
    if (depth == 0) result.push_back(c);
    if (c == close && depth > 0) --depth;
  }
  return result;
}

// "virtual tvm::X<int> tvm::A::f(const B*) const [clone .cold]" is "tvm::A::f".
std::string FunctionName(std::string_view frame) {
  for (std::string_view suffix : {" [with ", " [clone "}) {
    if (const size_t at = frame.find(suffix); at != std::string_view::npos) {
      frame = frame.substr(0, at);
    }
  }
  std::string name(frame);
  // What has brackets in its name must not lose them.
  ReplaceAll("(anonymous namespace)", "anonymous", &name);
  ReplaceAll("<lambda()>", "lambda", &name);
  ReplaceAll("{lambda()#", "lambda{", &name);
  ReplaceAll("operator()", "operator_call", &name);
  ReplaceAll("operator<<", "operator_shift_left", &name);
  ReplaceAll("operator->", "operator_arrow", &name);
  ReplaceAll("operator<", "operator_less", &name);
  name = WithoutBrackets(name, '(', ')');
  name = WithoutBrackets(name, '<', '>');
  name = WithoutBrackets(name, '{', '}');
  std::string_view rest = name;
  constexpr std::string_view kConst = " const";
  while (rest.ends_with(kConst)) rest.remove_suffix(kConst.size());
  if (const size_t at = rest.rfind(' '); at != std::string_view::npos) rest.remove_prefix(at + 1);
  while (rest.starts_with('*') || rest.starts_with('&')) rest.remove_prefix(1);
  return std::string(rest);
}

}  // namespace

Failure::Kind ClassifyError(std::string_view kind, std::string_view message) {
  if (Contains(message, "std::bad_alloc")) return Failure::OUT_OF_MEMORY;
  const bool is_internal =
      std::find(kInternalKinds.begin(), kInternalKinds.end(), kind) != kInternalKinds.end();
  return is_internal || Contains(message, kInternalCheck) ? Failure::INTERNAL_ERROR
                                                          : Failure::DIAGNOSTIC;
}

Failure DescribeError(const ffi::Error& error, Stage stage, int step, const std::string& pass) {
  Failure failure;
  failure.set_kind(ClassifyError(error.kind(), error.message()));
  failure.set_stage(stage);
  failure.set_step(step);
  failure.set_pass(pass);
  failure.set_error_kind(error.kind());
  failure.set_message(error.message());
  for (std::string& frame : FramesOf(error.backtrace())) failure.add_frames(std::move(frame));
  return failure;
}

std::vector<std::string> FramesOf(std::string_view backtrace) {
  std::vector<std::string> frames;
  while (!backtrace.empty()) {
    const std::string_view line = backtrace.substr(0, backtrace.find('\n'));
    backtrace.remove_prefix(std::min(line.size() + 1, backtrace.size()));
    // '  File "src/a.cc", line 7, in tvm::A::f(int)'
    constexpr std::string_view kIn = ", in ";
    const size_t at = line.find(kIn);
    if (at == std::string_view::npos) continue;
    std::string name = FunctionName(line.substr(at + kIn.size()));
    if (Contains(line.substr(0, at), kOwnDirectory) || HasPrefixIn(name, kEndPrefixes)) break;
    if (name.empty() || HasPrefixIn(name, kSkippedPrefixes)) continue;
    frames.push_back(std::move(name));
    if (frames.size() == kMaxFrames) break;
  }
  return frames;
}

}  // namespace irate::tvm_target
