// Where an instruction is, for a person.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {
namespace {

std::string_view VariableName(const Function& function, uint32_t id) {
  if (id >= static_cast<uint32_t>(function.variables_size())) return "?";
  return function.variables(static_cast<int>(id)).name();
}

std::string_view BufferName(const Function& function, uint32_t id) {
  if (id >= static_cast<uint32_t>(function.buffers_size())) return "?";
  return function.buffers(static_cast<int>(id)).name();
}

std::vector<std::string> Values(const Frame& frame, const PlaceNode& node) {
  std::vector<std::string> values;
  for (uint32_t reg : node.registers) values.push_back(fmt::format("{}", frame.cells[reg].i));
  return values;
}

std::string DescribeBlock(const Frame& frame, const PlaceNode& node, bool known) {
  const Function& function = *frame.function->source;
  std::vector<std::string> iters;
  if (known) {
    const std::vector<std::string> values = Values(frame, node);
    for (size_t i = 0; i < values.size(); ++i) {
      const uint32_t id = node.stmt->block().iters(static_cast<int>(i)).variable();
      iters.push_back(fmt::format("{} = {}", VariableName(function, id), values[i]));
    }
  }
  return fmt::format("block {}({})", node.stmt->block().name(), absl::StrJoin(iters, ", "));
}

// One statement: empty if it says nothing about the place.
std::string Describe(const Frame& frame, const PlaceNode& node) {
  const Function& function = *frame.function->source;
  const Stmt& stmt = *node.stmt;
  const bool known = frame.pc >= node.known_from;
  switch (stmt.kind()) {
    case FOR:
      return known ? fmt::format("for {} = {}", VariableName(function, stmt.id()),
                                 frame.cells[node.variable].i)
                   : fmt::format("for {}", VariableName(function, stmt.id()));
    case ATTR:
      if (node.variable == kNoRegister) return "";
      return known ? fmt::format("{} = {}", stmt.attr_node().thread_tag(),
                                 frame.cells[node.variable].i)
                   : stmt.attr_node().thread_tag();
    case BARRIER:
      return "barrier";
    case WHILE:
      return "while";
    case IF:
      return "if";
    case STORE:
      if (!known) return fmt::format("store {}", BufferName(function, stmt.id()));
      return fmt::format("store {}[{}]", BufferName(function, stmt.id()),
                         absl::StrJoin(Values(frame, node), ", "));
    case BIND:
      return fmt::format("bind {}", VariableName(function, stmt.id()));
    case ALLOC:
      return fmt::format("alloc {}", BufferName(function, stmt.id()));
    case DECL_BUFFER:
      return fmt::format("decl_buffer {}", BufferName(function, stmt.id()));
    case BLOCK:
      return DescribeBlock(frame, node, known);
    case ASSERT:
      return "assert";
    case EVALUATE:
      return stmt.args_size() == 1 && stmt.args(0).op() == CALL
                 ? fmt::format("evaluate {}", stmt.args(0).name())
                 : "evaluate";
    case RETURN:
      return "return";
    default:
      return "";
  }
}

}  // namespace

std::string DescribePlace(const Frame& frame) {
  const CompiledFunction& function = *frame.function;
  std::vector<std::string> outer;
  std::string path;
  for (uint32_t at = function.place[frame.pc]; at != 0; at = function.places[at].parent) {
    const PlaceNode& node = function.places[at];
    std::string part = Describe(frame, node);
    if (part.empty()) continue;
    const StmtKind kind = node.stmt->kind();
    const bool encloses =
        kind == FOR || kind == WHILE || kind == IF || kind == BLOCK || kind == ATTR;
    if (encloses) {
      outer.push_back(std::move(part));
    } else {
      path = std::move(part);
    }
  }
  std::reverse(outer.begin(), outer.end());
  if (!outer.empty()) {
    path = absl::StrJoin(outer, ", ") + (path.empty() ? "" : ": ") + path;
  }
  if (path.empty()) path = "the start";
  if (frame.caller == nullptr) return path;
  return fmt::format("{}, call of {}: {}", DescribePlace(*frame.caller), function.source->name(),
                     path);
}

}  // namespace irate::interp
