#include <limits>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "ir/text_parser.h"
#include "ir/types.h"

namespace irate {
namespace text {

absl::Status Parser::ParseModule(Module* module) {
  do {
    if (!IsWord("func") && !IsWord("private")) return Expected("\"func\" or \"private func\"");
    IRATE_RETURN_IF_ERROR(ParseFunction(module->add_functions()));
  } while (Peek().kind != Token::Kind::kEnd);
  return absl::OkStatus();
}

absl::Status Parser::ParseFunction(Function* function) {
  function_ = function;
  variables_.clear();
  buffers_.clear();
  function->set_is_private(TakeWord("private"));
  IRATE_RETURN_IF_ERROR(ExpectWord("func"));
  IRATE_ASSIGN_OR_RETURN(*function->mutable_name(), ParseFunctionName());
  std::vector<std::pair<ParamKind, Token>> params;
  IRATE_RETURN_IF_ERROR(ParseParams(&params));
  if (TakePunctuation("->")) {
    const Token place = Peek();
    IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
    if (type.lanes != 0) return Error(place, "a function returns a scalar");
    function->set_result(type.scalar);
  }
  IRATE_RETURN_IF_ERROR(ParseAttributes(function->mutable_attrs()));
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (true) {
    if (TakeWord("var")) {
      IRATE_RETURN_IF_ERROR(ParseVariables());
    } else if (TakeWord("buffer")) {
      IRATE_RETURN_IF_ERROR(ParseBufferDeclaration());
    } else {
      break;
    }
  }
  IRATE_RETURN_IF_ERROR(ResolveParams(params));
  while (!TakePunctuation("}")) {
    if (Peek().kind == Token::Kind::kEnd) return Expected("a statement or \"}\"");
    IRATE_RETURN_IF_ERROR(ParseStmt(function->add_body()));
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseParams(std::vector<std::pair<ParamKind, Token>>* params) {
  IRATE_RETURN_IF_ERROR(Expect("("));
  if (TakePunctuation(")")) return absl::OkStatus();
  do {
    if (!IsWord("buffer") && !IsWord("scalar")) return Expected("\"buffer\" or \"scalar\"");
    const ParamKind kind = Next().text == "buffer" ? PARAM_BUFFER : PARAM_SCALAR;
    if (!IsName()) return Expected("the name of a parameter");
    params->emplace_back(kind, Next());
  } while (TakePunctuation(","));
  return Expect(")");
}

absl::Status Parser::ResolveParams(const std::vector<std::pair<ParamKind, Token>>& params) {
  for (const auto& [kind, token] : params) {
    const bool is_buffer = kind == PARAM_BUFFER;
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, Resolve(token, is_buffer ? buffers_ : variables_,
                                                      is_buffer ? "buffer" : "variable"));
    Param* param = function_->add_params();
    param->set_kind(kind);
    param->set_id(id);
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseVariables() {
  const int first = function_->variables_size();
  do {
    if (!IsName()) return Expected("the name of a variable");
    const Token token = Next();
    const auto id = static_cast<uint32_t>(function_->variables_size());
    IRATE_RETURN_IF_ERROR(Declare(token, &variables_, id));
    function_->add_variables()->set_name(token.text);
  } while (TakePunctuation(","));
  IRATE_RETURN_IF_ERROR(Expect(":"));
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
  ScalarType pointee = VOID;
  std::string scope;
  if (TakePunctuation("<")) {
    IRATE_ASSIGN_OR_RETURN(const ValueType pointed, ParseTypeWord());
    pointee = pointed.scalar;
    if (TakePunctuation(",")) {
      IRATE_ASSIGN_OR_RETURN(scope, ParseString("a storage scope"));
    }
    IRATE_RETURN_IF_ERROR(Expect(">"));
  }
  for (int i = first; i < function_->variables_size(); ++i) {
    Variable* variable = function_->mutable_variables(i);
    variable->set_type(type.scalar);
    variable->set_lanes(type.lanes);
    variable->set_pointee(pointee);
    variable->set_pointee_scope(scope);
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseBufferDeclaration() {
  constexpr uint64_t kMaxUint32 = std::numeric_limits<uint32_t>::max();
  if (!IsName()) return Expected("the name of a buffer");
  const Token token = Next();
  const auto id = static_cast<uint32_t>(function_->buffers_size());
  IRATE_RETURN_IF_ERROR(Declare(token, &buffers_, id));
  Buffer* buffer = function_->add_buffers();
  buffer->set_name(token.text);
  IRATE_RETURN_IF_ERROR(Expect(":"));
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
  buffer->set_type(type.scalar);
  buffer->set_lanes(type.lanes);
  Node shape;
  IRATE_RETURN_IF_ERROR(ParseArgs("[", "]", &shape));
  buffer->mutable_shape()->Swap(shape.expr.mutable_args());
  if (TakeWord("strides")) {
    Node strides;
    IRATE_RETURN_IF_ERROR(ParseArgs("[", "]", &strides));
    buffer->mutable_strides()->Swap(strides.expr.mutable_args());
  }
  if (TakeWord("offset")) {
    IRATE_ASSIGN_OR_RETURN(*buffer->mutable_elem_offset(), ParseExpr());
  }
  if (TakeWord("align")) {
    IRATE_ASSIGN_OR_RETURN(const uint64_t value, ParseUnsigned("an alignment", kMaxUint32));
    buffer->set_alignment(static_cast<uint32_t>(value));
  }
  if (TakeWord("factor")) {
    IRATE_ASSIGN_OR_RETURN(const uint64_t value, ParseUnsigned("a factor", kMaxUint32));
    buffer->set_offset_factor(static_cast<uint32_t>(value));
  }
  if (TakeWord("scope")) {
    IRATE_ASSIGN_OR_RETURN(*buffer->mutable_scope(), ParseString("a storage scope"));
  }
  return absl::OkStatus();
}

}  // namespace text

absl::StatusOr<Module> ParseModule(std::string_view text) {
  IRATE_ASSIGN_OR_RETURN(std::vector<text::Token> tokens, text::Tokenize(text));
  Module module;
  IRATE_RETURN_IF_ERROR(text::Parser(std::move(tokens)).ParseModule(&module));
  return module;
}

absl::StatusOr<Case> ParseCase(std::string_view text) {
  IRATE_ASSIGN_OR_RETURN(std::vector<text::Token> tokens, text::Tokenize(text));
  Case test_case;
  IRATE_RETURN_IF_ERROR(text::Parser(std::move(tokens)).ParseCase(&test_case));
  return test_case;
}

}  // namespace irate
