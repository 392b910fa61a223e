#include "targets/c/stmt_printer.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/types.h"
#include "targets/c/c_types.h"

namespace irate::c_target {
namespace {

bool HasNoalias(const Function& function) {
  for (const Attribute& attribute : function.attrs()) {
    if (attribute.key() == "noalias") return attribute.value().int_value() != 0;
  }
  return false;
}

}  // namespace

StmtPrinter::StmtPrinter(const ModuleContext& context, const Function& function)
    : context_(context),
      function_(function),
      exprs_(context, function),
      defined_(static_cast<size_t>(function.variables_size())) {}

void StmtPrinter::Line(const std::string& text) {
  text_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n";
}

void StmtPrinter::Open(const std::string& header) {
  Line(header.empty() ? "{" : header + " {");
  ++indent_;
}

void StmtPrinter::Close(const std::string& trailer) {
  --indent_;
  Line("}" + trailer);
}

void StmtPrinter::Define(uint32_t variable, const std::string& value) {
  const Variable& declared = function_.variables(static_cast<int>(variable));
  defined_[variable] = true;
  const std::string type = context_.prelude->Type(declared.type(), declared.lanes());
  Line(fmt::format("{}{} {} = {};", type, declared.type() == HANDLE ? " const" : "",
                   exprs_.VariableName(variable), value));
}

std::string StmtPrinter::Signature(int index) {
  std::vector<std::string> params;
  const std::string_view pointer = HasNoalias(function_) ? "* restrict" : "*";
  for (const Param& param : function_.params()) {
    if (param.kind() == PARAM_BUFFER) {
      params.push_back(fmt::format("{}{} {}", exprs_.ElementType(param.id()), pointer,
                                   exprs_.BufferName(param.id())));
    } else {
      const Variable& variable = function_.variables(static_cast<int>(param.id()));
      params.push_back(fmt::format("{} {}",
                                   context_.prelude->Type(variable.type(), variable.lanes()),
                                   exprs_.VariableName(param.id())));
      defined_[param.id()] = true;
    }
  }
  for (const uint32_t dimension : DimensionVariables(function_)) {
    const Variable& variable = function_.variables(static_cast<int>(dimension));
    params.push_back(
        fmt::format("{} {}", CType(variable.type(), 0), exprs_.VariableName(dimension)));
    defined_[dimension] = true;
  }
  return fmt::format("static {} {}({})", CType(function_.result(), 0), context_.FunctionName(index),
                     params.empty() ? "void" : absl::StrJoin(params, ", "));
}

std::string StmtPrinter::PrintPrototype(int index) { return Signature(index) + ";\n"; }

std::string StmtPrinter::PrintFunction(int index) {
  text_.clear();
  Open(Signature(index));
  PrintList(function_.body());
  Close();
  return text_;
}

void StmtPrinter::PrintList(const StmtList& list) {
  for (const Stmt& stmt : list) PrintStmt(stmt);
}

void StmtPrinter::PrintStmt(const Stmt& stmt) {
  switch (stmt.kind()) {
    case FOR:
      return PrintFor(stmt);
    case WHILE:
      Open(fmt::format("while ({})", exprs_.Print(stmt.args(0))));
      PrintList(stmt.body());
      return Close();
    case IF:
      Open(fmt::format("if ({})", exprs_.Print(stmt.args(0))));
      PrintList(stmt.body());
      if (!stmt.orelse().empty()) {
        --indent_;
        Open("} else");
        PrintList(stmt.orelse());
      }
      return Close();
    case STORE:
      return PrintStore(stmt);
    case BIND:
      return Define(stmt.id(), exprs_.Print(stmt.args(0)));
    case ALLOC:
      return PrintAlloc(stmt.id());
    case DECL_BUFFER:
      return Line(fmt::format("{0}* {1} = ({0}*){2};", exprs_.ElementType(stmt.id()),
                              exprs_.BufferName(stmt.id()), exprs_.Print(stmt.args(0))));
    case BLOCK:
      return PrintBlock(stmt);
    case ASSERT:
      return PrintAssert(stmt);
    case ATTR:
      if (stmt.name() == "thread_extent" || stmt.name() == "virtual_thread") {
        return exprs_.Refuse(fmt::format("ATTR {}", stmt.name()));
      }
      Open("");
      PrintList(stmt.body());
      return Close();
    case EVALUATE:
      return Line(fmt::format("(void){};", exprs_.Print(stmt.args(0))));
    case BREAK:
      return Line("break;");
    case CONTINUE:
      return Line("continue;");
    case RETURN:
      return Line(stmt.args().empty() ? "return;"
                                      : fmt::format("return {};", exprs_.Print(stmt.args(0))));
    default:
      return exprs_.Refuse(StmtKindName(stmt.kind()));
  }
}

void StmtPrinter::PrintFor(const Stmt& stmt) {
  if (stmt.loop_kind() == THREAD_BINDING) {
    return exprs_.Refuse(fmt::format("THREAD_BINDING loop ({})", stmt.thread_tag()));
  }
  const ScalarType type = function_.variables(static_cast<int>(stmt.id())).type();
  // Wide enough that the end of a loop that uses up its type can be written.
  const std::string_view counter = type == U64 ? "uint64_t" : "int64_t";
  std::string step = stmt.args_size() > 2 ? exprs_.Print(stmt.args(2)) : "";
  if (!step.empty() && context_.prelude->checked()) {
    context_.prelude->Need("step");
    step = fmt::format("irate_step({})", step);
  }
  Open(
      fmt::format("for ({0} irate_n{1} = {2}, irate_e{1} = irate_n{1} + {3}; "
                  "irate_n{1} < irate_e{1}; {4})",
                  counter, stmt.id(), exprs_.Print(stmt.args(0)), exprs_.Print(stmt.args(1)),
                  step.empty() ? fmt::format("++irate_n{}", stmt.id())
                               : fmt::format("irate_n{} += {}", stmt.id(), step)));
  Define(stmt.id(), fmt::format("({})irate_n{}", CType(type, 0), stmt.id()));
  PrintList(stmt.body());
  Close();
}

void StmtPrinter::PrintStore(const Stmt& stmt) {
  std::vector<std::string> indices;
  for (int i = 1; i < stmt.args_size(); ++i) indices.push_back(exprs_.Print(stmt.args(i)));
  const Expr& value = stmt.args(0);
  const Expr& last = stmt.args(stmt.args_size() - 1);
  const uint32_t count = indices.empty() ? 1 : Lanes(last.lanes());
  if (count == 1) {
    return Line(fmt::format("{} = {};", exprs_.Element(stmt.id(), indices), exprs_.Print(value)));
  }
  const uint32_t inner = Lanes(function_.buffers(static_cast<int>(stmt.id())).lanes());
  Open("");
  Line(fmt::format("const {} irate_s = {};", context_.prelude->Type(value.type(), value.lanes()),
                   exprs_.Print(value)));
  Line(fmt::format("const {} irate_x = {};", context_.prelude->Type(last.type(), count),
                   indices.back()));
  indices.back() = "irate_x.v[irate_l]";
  const std::string element = exprs_.Element(stmt.id(), indices);
  Line(fmt::format("for (int irate_l = 0; irate_l < {}; ++irate_l) {};", count,
                   inner == 1 ? fmt::format("{} = irate_s.v[irate_l]", element)
                              : fmt::format("memcpy(&{}, &irate_s.v[irate_l * {}], sizeof {})",
                                            element, inner, element)));
  Close();
}

void StmtPrinter::PrintAlloc(uint32_t buffer) {
  constexpr int64_t kLargestArray = 4096;  // bytes; more comes from the heap
  const Buffer& declared = function_.buffers(static_cast<int>(buffer));
  int64_t bytes = int64_t{ByteSize(declared.type())} * Lanes(declared.lanes());
  for (const Expr& extent : declared.shape()) {
    const bool fits = extent.op() == CONST && extent.int_value() >= 0 &&
                      (extent.int_value() == 0 || bytes <= kLargestArray / extent.int_value());
    bytes = fits ? bytes * extent.int_value() : kLargestArray + 1;
  }
  const std::string type = exprs_.ElementType(buffer);
  const std::string name = exprs_.BufferName(buffer);
  const bool plain = declared.strides().empty() && !declared.has_elem_offset();
  if (plain && bytes > 0 && bytes <= kLargestArray) {
    return Line(fmt::format("_Alignas(64) {} {}[{}];", type, name, exprs_.Extent(buffer)));
  }
  context_.prelude->Need("memory");
  Line(
      fmt::format("{0}* {1} __attribute__((cleanup(irate_release))) = "
                  "irate_allocate(({2}) * (int64_t)sizeof({0}));",
                  type, name, exprs_.Extent(buffer)));
}

void StmtPrinter::PrintAssert(const Stmt& stmt) {
  context_.prelude->Need("fail");
  Line(fmt::format("if (!{}) irate_fail(\"assertion failed: {}: {}\");", exprs_.Print(stmt.args(0)),
                   absl::CEscape(stmt.name()), absl::CEscape(absl::StrJoin(stmt.strings(), ""))));
}

}  // namespace irate::c_target
