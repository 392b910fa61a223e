#include "fmt/format.h"
#include "ir/text_printer.h"
#include "ir/types.h"
#include "ir/verify.h"

namespace irate::text {
namespace {

constexpr int kCutOff = 2 * kMaxDepth;

std::string_view LoopKindWord(LoopKind kind) {
  switch (kind) {
    case PARALLEL:
      return " parallel";
    case VECTORIZED:
      return " vectorized";
    case UNROLLED:
      return " unrolled";
    default:
      return "";
  }
}

}  // namespace

void Printer::PrintStmt(const Stmt& stmt, int indent) {
  if (indent > kCutOff) {
    Indent(kCutOff);
    out_ += "<too deep>\n";
    return;
  }
  Indent(indent);
  const auto arg = [&](int i) -> const Expr& {
    return i < stmt.args_size() ? stmt.args(i) : Expr::default_instance();
  };
  switch (stmt.kind()) {
    case FOR:
      PrintFor(stmt, indent);
      break;
    case WHILE:
      out_ += "while ";
      PrintExpr(arg(0));
      PrintBody(stmt.body(), indent);
      break;
    case IF:
      PrintIf(stmt, indent);
      break;
    case STORE:
      out_ += names_.Buffer(stmt.id());
      PrintBrackets(stmt.args(), 1);
      out_ += " = ";
      PrintExpr(arg(0));
      break;
    case BIND:
      out_ += fmt::format("let {} = ", names_.Variable(stmt.id()));
      PrintExpr(arg(0));
      break;
    case ALLOC:
      out_ += "alloc " + names_.Buffer(stmt.id());
      PrintAttributes(stmt.annotations());
      break;
    case DECL_BUFFER:
      out_ += fmt::format("decl {} = ", names_.Buffer(stmt.id()));
      PrintExpr(arg(0));
      break;
    case BLOCK:
      PrintBlock(stmt, indent);
      break;
    case ASSERT:
      out_ += "assert ";
      PrintExpr(arg(0));
      out_ += ", " + Quote(stmt.name());
      for (const std::string& part : stmt.strings()) out_ += ", " + Quote(part);
      break;
    case ATTR:
      PrintAttr(stmt, indent);
      break;
    case EVALUATE:
      out_ += "eval ";
      PrintExpr(arg(0));
      break;
    case BREAK:
      out_ += "break";
      break;
    case CONTINUE:
      out_ += "continue";
      break;
    case RETURN:
      out_ += "return";
      if (stmt.args_size() != 0) {
        out_ += ' ';
        PrintExpr(stmt.args(0));
      }
      break;
    case BARRIER:
      out_ += "barrier " + Quote(stmt.name());
      break;
    default:
      out_ += fmt::format("<{}>", StmtKindName(stmt.kind()));
      break;
  }
  out_ += '\n';
}

void Printer::PrintBody(const Stmts& body, int indent) {
  out_ += " {\n";
  for (const Stmt& stmt : body) PrintStmt(stmt, indent + 1);
  Indent(indent);
  out_ += '}';
}

void Printer::PrintFor(const Stmt& stmt, int indent) {
  out_ += fmt::format("for {} in ", names_.Variable(stmt.id()));
  if (stmt.args_size() >= 2) PrintRange(stmt.args(0), stmt.args(1));
  if (stmt.args_size() >= 3) {
    out_ += " step ";
    PrintExpr(stmt.args(2), kOr);
  }
  out_ += LoopKindWord(stmt.loop_kind());
  if (stmt.loop_kind() == THREAD_BINDING) out_ += " bind " + Quote(stmt.thread_tag());
  PrintAttributes(stmt.annotations());
  PrintBody(stmt.body(), indent);
}

void Printer::PrintIf(const Stmt& stmt, int indent) {
  const Stmt* next = &stmt;
  // A chain of else-ifs nests in the message but not in the text; its length is the depth.
  for (int length = 0; length < kCutOff; ++length) {
    out_ += "if ";
    PrintExpr(next->args_size() == 0 ? Expr::default_instance() : next->args(0));
    PrintBody(next->body(), indent);
    if (next->orelse_size() == 0) return;
    out_ += " else";
    const bool chained = next->orelse_size() == 1 && next->orelse(0).kind() == IF;
    if (!chained) {
      PrintBody(next->orelse(), indent);
      return;
    }
    out_ += ' ';
    next = &next->orelse(0);
  }
  out_ += "<too deep>";
}

void Printer::PrintAttr(const Stmt& stmt, int indent) {
  out_ += "attr " + Quote(stmt.name());
  const AttrNode& node = stmt.attr_node();
  switch (node.node_case()) {
    case AttrNode::kBuffer:
      out_ += " on buffer " + names_.Buffer(node.buffer());
      break;
    case AttrNode::kVariable:
      out_ += " on var " + names_.Variable(node.variable());
      break;
    case AttrNode::kText:
      out_ += " on " + Quote(node.text());
      break;
    case AttrNode::kThreadTag:
      out_ += fmt::format(" on thread {} {}", names_.Variable(node.thread_variable()),
                          Quote(node.thread_tag()));
      break;
    case AttrNode::NODE_NOT_SET:
      break;
  }
  out_ += " = ";
  PrintExpr(stmt.args_size() == 0 ? Expr::default_instance() : stmt.args(0));
  PrintBody(stmt.body(), indent);
}

}  // namespace irate::text
