#include "fmt/format.h"
#include "ir/text.h"
#include "ir/text_printer.h"
#include "ir/types.h"

namespace irate {
namespace text {

void Printer::PrintAttributes(const google::protobuf::RepeatedPtrField<Attribute>& attributes) {
  if (attributes.empty()) return;
  if (!out_.empty() && out_.back() != ' ') out_ += ' ';
  out_ += "attributes {";
  bool first = true;
  for (const Attribute& attribute : attributes) {
    if (!std::exchange(first, false)) out_ += ", ";
    out_ += Quote(attribute.key()) + " = ";
    PrintExpr(attribute.value());
  }
  out_ += '}';
}

void Printer::PrintVariables() {
  // Neighbours of one type share a line.
  for (int i = 0; i < function_.variables_size();) {
    const Variable& first = function_.variables(i);
    out_ += "  var ";
    int end = i;
    for (; end < function_.variables_size(); ++end) {
      const Variable& next = function_.variables(end);
      const bool same = next.type() == first.type() && next.lanes() == first.lanes() &&
                        next.pointee() == first.pointee() &&
                        next.pointee_scope() == first.pointee_scope();
      if (!same) break;
      if (end != i) out_ += ", ";
      out_ += names_.Variable(static_cast<uint32_t>(end));
    }
    out_ += ": " + PrintType(first.type(), first.lanes());
    if (first.pointee() != VOID || !first.pointee_scope().empty()) {
      out_ += fmt::format("<{}", TypeName(first.pointee()));
      if (!first.pointee_scope().empty()) out_ += ", " + Quote(first.pointee_scope());
      out_ += '>';
    }
    out_ += '\n';
    i = end;
  }
}

void Printer::PrintBuffer(const Buffer& buffer, uint32_t id) {
  out_ +=
      fmt::format("  buffer {}: {}", names_.Buffer(id), PrintType(buffer.type(), buffer.lanes()));
  PrintBrackets(buffer.shape());
  if (buffer.strides_size() != 0) {
    out_ += " strides ";
    PrintBrackets(buffer.strides());
  }
  if (buffer.has_elem_offset()) {
    out_ += " offset ";
    PrintExpr(buffer.elem_offset());
  }
  if (buffer.alignment() != 0) out_ += fmt::format(" align {}", buffer.alignment());
  if (buffer.offset_factor() != 0) out_ += fmt::format(" factor {}", buffer.offset_factor());
  if (!buffer.scope().empty()) out_ += " scope " + Quote(buffer.scope());
  out_ += '\n';
}

void Printer::PrintFunction() {
  if (function_.is_private()) out_ += "private ";
  out_ += fmt::format("func @{}(", SpellName(function_.name()));
  bool first = true;
  for (const Param& param : function_.params()) {
    if (!std::exchange(first, false)) out_ += ", ";
    out_ += param.kind() == PARAM_BUFFER ? "buffer " + names_.Buffer(param.id())
                                         : "scalar " + names_.Variable(param.id());
  }
  out_ += ')';
  if (function_.result() != VOID) out_ += fmt::format(" -> {}", TypeName(function_.result()));
  PrintAttributes(function_.attrs());
  out_ += " {\n";
  PrintVariables();
  for (int i = 0; i < function_.buffers_size(); ++i) {
    PrintBuffer(function_.buffers(i), static_cast<uint32_t>(i));
  }
  if (function_.body_size() != 0 && function_.variables_size() + function_.buffers_size() != 0) {
    out_ += '\n';
  }
  for (const Stmt& stmt : function_.body()) PrintStmt(stmt, 1);
  out_ += "}\n";
}

}  // namespace text

std::string PrintFunction(const Function& function) {
  text::Printer printer(function);
  printer.PrintFunction();
  return printer.text();
}

std::string PrintModule(const Module& module) {
  std::string result;
  for (const Function& function : module.functions()) {
    if (!result.empty()) result += '\n';
    result += PrintFunction(function);
  }
  return result;
}

std::string PrintExpr(const Function& function, const Expr& expr) {
  text::Printer printer(function);
  printer.PrintExpr(expr);
  return printer.text();
}

std::string PrintStmt(const Function& function, const Stmt& stmt, int indent) {
  text::Printer printer(function);
  printer.PrintStmt(stmt, indent);
  return printer.text();
}

}  // namespace irate
