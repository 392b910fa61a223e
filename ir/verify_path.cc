// The place in messages, and what is said about types and names.
#include "fmt/format.h"
#include "ir/verify_internal.h"

namespace irate::verify {

std::string ToString(Type type) {
  return type.lanes == 0 ? std::string(TypeName(type.scalar))
                         : fmt::format("{}x{}", TypeName(type.scalar), type.lanes);
}

bool HasUnknownFields(const google::protobuf::Message& message) {
  return !message.GetReflection()->GetUnknownFields(message).empty();
}

bool IsUnset(double value) {
  uint64_t bits = 0;
  static_assert(sizeof(bits) == sizeof(value));
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits == 0;
}

std::string FunctionVerifier::VariableName(uint32_t id) const {
  if (id >= variables_.size()) return fmt::format("#{}", id);
  return function_.variables(static_cast<int>(id)).name();
}

std::string FunctionVerifier::BufferName(uint32_t id) const {
  if (id >= buffers_.size()) return fmt::format("#{}", id);
  return function_.buffers(static_cast<int>(id)).name();
}

namespace {

// "body[2].for i": what the statement at a step of the path is.
std::string_view StmtWord(StmtKind kind) {
  switch (kind) {
    case FOR:
      return "for";
    case WHILE:
      return "while";
    case IF:
      return "if";
    case STORE:
      return "store";
    case BIND:
      return "let";
    case ALLOC:
      return "alloc";
    case DECL_BUFFER:
      return "decl";
    case BLOCK:
      return "block";
    case ASSERT:
      return "assert";
    case ATTR:
      return "attr";
    case EVALUATE:
      return "eval";
    case BREAK:
      return "break";
    case CONTINUE:
      return "continue";
    case RETURN:
      return "return";
    case BARRIER:
      return "barrier";
    default:
      return "statement";
  }
}

}  // namespace

std::string FunctionVerifier::Describe(const Step& step) const {
  if (step.label == "buffer") {
    return fmt::format("buffer {}", BufferName(static_cast<uint32_t>(step.index)));
  }
  if (step.label == "variable") {
    return fmt::format("variable {}", VariableName(static_cast<uint32_t>(step.index)));
  }
  std::string text(step.label);
  if (step.index >= 0) text += fmt::format("[{}]", step.index);
  if (step.stmt == nullptr) return text;
  text += fmt::format(".{}", StmtWord(step.stmt->kind()));
  switch (step.stmt->kind()) {
    case FOR:
    case BIND:
      text += fmt::format(" {}", VariableName(step.stmt->id()));
      break;
    case STORE:
    case ALLOC:
    case DECL_BUFFER:
      text += fmt::format(" {}", BufferName(step.stmt->id()));
      break;
    case BLOCK:
      text += fmt::format(" {}", step.stmt->block().name());
      break;
    case ATTR:
      text += fmt::format(" {}", step.stmt->name());
      break;
    default:
      break;
  }
  return text;
}

absl::Status FunctionVerifier::Fail(std::string_view message) const {
  std::string place = function_.name().empty() ? fmt::format("functions[{}]", index_)
                                               : fmt::format("function {}", function_.name());
  for (const Step& step : path_) {
    const std::string text = Describe(step);
    if (!text.empty()) place += fmt::format("{}{}", step.nested_expr ? "." : ", ", text);
  }
  return absl::InvalidArgumentError(fmt::format("{}: {}", place, message));
}

}  // namespace irate::verify
