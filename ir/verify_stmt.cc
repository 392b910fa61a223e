// Statements other than blocks.
#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {
namespace {

enum StmtField : unsigned {
  kId = 1,
  kBody = 2,
  kOrelse = 4,
  kLoop = 8,  // loop_kind and thread_tag
  kBlock = 16,
  kName = 32,
  kStrings = 64,
  kAttrNode = 128,
  kAnnotations = 256,
};

struct StmtFacts {
  StmtKind kind;
  int min_args;
  int max_args;  // -1: any number
  unsigned fields;
};

constexpr auto kStmts = std::to_array<StmtFacts>({
    {FOR, 2, 3, kId | kBody | kLoop | kAnnotations},
    {WHILE, 1, 1, kBody},
    {IF, 1, 1, kBody | kOrelse},
    {STORE, 1, -1, kId},
    {BIND, 1, 1, kId},
    {ALLOC, 0, 0, kId | kAnnotations},
    {DECL_BUFFER, 1, 1, kId},
    {BLOCK, 0, 0, kBody | kBlock},
    {ASSERT, 1, 1, kName | kStrings},
    {ATTR, 1, 1, kBody | kName | kAttrNode},
    {EVALUATE, 1, 1, 0},
    {BREAK, 0, 0, 0},
    {CONTINUE, 0, 0, 0},
    {RETURN, 0, 1, 0},
    {BARRIER, 0, 0, kName},
});

constexpr auto kThreadTags = std::to_array<std::string_view>(
    {"blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z",
     "vthread", "vthread.x", "vthread.y", "vthread.z"});

}  // namespace

absl::Status FunctionVerifier::CheckList(std::string_view label,
                                         const google::protobuf::RepeatedPtrField<Stmt>& list) {
  Region region(this);
  for (int i = 0; i < list.size(); ++i) {
    Scope scope(this, {.label = label, .index = i, .stmt = &list[i]});
    IRATE_RETURN_IF_ERROR(CheckStmt(list[i]));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckStmt(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckStmtForm(stmt));
  switch (stmt.kind()) {
    case FOR:
      return CheckFor(stmt);
    case WHILE: {
      IRATE_RETURN_IF_ERROR(CheckScalarBool("condition", stmt.args(0)));
      loops_.push_back(&stmt);
      absl::Status status = CheckList("body", stmt.body());
      loops_.pop_back();
      return status;
    }
    case IF:
      return CheckIf(stmt);
    case STORE:
      return CheckStore(stmt);
    case BIND:
      return CheckBind(stmt);
    case ALLOC:
      IRATE_RETURN_IF_ERROR(CheckAttributes(stmt.annotations()));
      return DefineBuffer(stmt.id());
    case DECL_BUFFER:
      return CheckDeclBuffer(stmt);
    case BLOCK:
      return CheckBlock(stmt);
    case ASSERT:
      return CheckAssert(stmt);
    case ATTR:
      return CheckAttr(stmt);
    case EVALUATE:
      return CheckPart("value", stmt.args(0), Accept::kVoid);
    case BREAK:
    case CONTINUE:
      return CheckJump(stmt);
    case RETURN:
      return CheckReturn(stmt);
    default:  // BARRIER
      return CheckText("the storage scope", stmt.name(), false);
  }
}

absl::Status FunctionVerifier::CheckStmtForm(const Stmt& stmt) {
  const auto facts = std::ranges::find(kStmts, stmt.kind(), &StmtFacts::kind);
  if (facts == kStmts.end()) {
    return Fail(fmt::format("unknown kind of statement, number {}", static_cast<int>(stmt.kind())));
  }
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(stmt));
  if (stmt.args_size() < facts->min_args ||
      (facts->max_args >= 0 && stmt.args_size() > facts->max_args)) {
    return Fail(fmt::format("{} with {} arguments instead of {}{}", StmtKindName(stmt.kind()),
                            stmt.args_size(), facts->min_args,
                            facts->max_args < 0 ? " or more"
                            : facts->max_args > facts->min_args
                                ? fmt::format(" to {}", facts->max_args)
                                : ""));
  }
  const auto is_stray = [&](bool is_set, StmtField field) {
    return is_set && (facts->fields & field) == 0;
  };
  std::string_view stray;
  if (is_stray(stmt.id() != 0, kId)) stray = "id";
  if (is_stray(stmt.body_size() != 0, kBody)) stray = "body";
  if (is_stray(stmt.orelse_size() != 0, kOrelse)) stray = "orelse";
  if (is_stray(stmt.loop_kind() != SERIAL, kLoop)) stray = "loop_kind";
  if (is_stray(!stmt.thread_tag().empty(), kLoop)) stray = "thread_tag";
  if (is_stray(stmt.has_block(), kBlock)) stray = "block";
  if (is_stray(!stmt.name().empty(), kName)) stray = "name";
  if (is_stray(stmt.strings_size() != 0, kStrings)) stray = "strings";
  if (is_stray(stmt.has_attr_node(), kAttrNode)) stray = "attr_node";
  if (is_stray(stmt.annotations_size() != 0, kAnnotations)) stray = "annotations";
  if (stray.empty()) return absl::OkStatus();
  return Fail(
      fmt::format("{} does not use {}, which must stay unset", StmtKindName(stmt.kind()), stray));
}

absl::Status FunctionVerifier::CheckFor(const Stmt& stmt) {
  constexpr std::array<std::string_view, 3> kLabels = {"min", "extent", "step"};
  for (int i = 0; i < stmt.args_size(); ++i) {
    IRATE_RETURN_IF_ERROR(CheckScalarInt(kLabels[static_cast<size_t>(i)], stmt.args(i)));
  }
  if (!LoopKind_IsValid(stmt.loop_kind())) return Fail("unknown kind of loop");
  if ((stmt.loop_kind() == THREAD_BINDING) != !stmt.thread_tag().empty()) {
    return Fail("a thread tag belongs to a THREAD_BINDING loop and to no other");
  }
  if (stmt.loop_kind() == THREAD_BINDING && !options_.lifted &&
      std::ranges::find(kThreadTags, stmt.thread_tag()) == kThreadTags.end()) {
    return Fail(
        fmt::format("the thread tag {} is not one of blockIdx, threadIdx and vthread with "
                    ".x, .y or .z",
                    stmt.thread_tag()));
  }
  IRATE_RETURN_IF_ERROR(CheckText("the thread tag", stmt.thread_tag(), true));
  IRATE_RETURN_IF_ERROR(CheckAttributes(stmt.annotations()));
  Region region(this);
  IRATE_RETURN_IF_ERROR(Define(stmt.id()));
  const Type variable = TypeOf(function_.variables(static_cast<int>(stmt.id())));
  for (int i = 0; i < stmt.args_size(); ++i) {
    if (TypeOf(stmt.args(i)) == variable) continue;
    return Fail(fmt::format("the loop variable is {} but its {} is {}", ToString(variable),
                            kLabels[static_cast<size_t>(i)], ToString(TypeOf(stmt.args(i)))));
  }
  const Expr& extent = stmt.args(1);
  // As many copies of the body, so a number that is known.
  if (stmt.loop_kind() == UNROLLED && extent.op() != CONST && !options_.lifted) {
    return Fail("an unrolled loop whose extent is no constant");
  }
  if (stmt.loop_kind() == VECTORIZED && !options_.lifted) {
    // The number of lanes of a vector is part of its type.
    if (extent.op() != CONST || extent.int_value() < 1) {
      return Fail("a vectorized loop whose extent is no constant of at least 1");
    }
    const auto is_vectorized = [](const Stmt* loop) { return loop->loop_kind() == VECTORIZED; };
    if (std::ranges::any_of(loops_, is_vectorized)) {
      return Fail("a vectorized loop in a vectorized loop");
    }
  }
  loops_.push_back(&stmt);
  absl::Status status = CheckList("body", stmt.body());
  loops_.pop_back();
  return status;
}

absl::Status FunctionVerifier::CheckIf(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckScalarBool("condition", stmt.args(0)));
  IRATE_RETURN_IF_ERROR(CheckList("body", stmt.body()));
  return CheckList("orelse", stmt.orelse());
}

absl::Status FunctionVerifier::CheckStore(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(UseBuffer(stmt.id()));
  const Buffer& buffer = function_.buffers(static_cast<int>(stmt.id()));
  IRATE_RETURN_IF_ERROR(CheckPart("value", stmt.args(0)));
  for (int i = 1; i < stmt.args_size(); ++i) {
    Scope scope(this, {.label = "indices", .index = i - 1});
    IRATE_RETURN_IF_ERROR(CheckPart("", stmt.args(i)));
  }
  uint32_t lanes = 0;
  IRATE_RETURN_IF_ERROR(CheckIndices(stmt.args(), 1, buffer, "STORE", &lanes));
  const Type wanted{buffer.type(), lanes};
  if (TypeOf(stmt.args(0)) == wanted) return absl::OkStatus();
  return Fail(fmt::format("STORE of {} into elements of type {}", ToString(TypeOf(stmt.args(0))),
                          ToString(wanted)));
}

absl::Status FunctionVerifier::CheckBind(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckPart("value", stmt.args(0)));
  IRATE_RETURN_IF_ERROR(Define(stmt.id()));
  const Type variable = TypeOf(function_.variables(static_cast<int>(stmt.id())));
  if (variable == TypeOf(stmt.args(0))) return absl::OkStatus();
  return Fail(fmt::format("BIND gives the variable {} of type {} a value of type {}",
                          VariableName(stmt.id()), ToString(variable),
                          ToString(TypeOf(stmt.args(0)))));
}

absl::Status FunctionVerifier::CheckDeclBuffer(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckPart("data", stmt.args(0)));
  if (!(TypeOf(stmt.args(0)) == Type{HANDLE, 0})) {
    return Fail(
        fmt::format("the data of a buffer is a handle, not {}", ToString(TypeOf(stmt.args(0)))));
  }
  return DefineBuffer(stmt.id());
}

absl::Status FunctionVerifier::CheckAssert(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckScalarBool("condition", stmt.args(0)));
  IRATE_RETURN_IF_ERROR(CheckText("the kind of error", stmt.name(), false));
  for (const std::string& part : stmt.strings()) {
    IRATE_RETURN_IF_ERROR(CheckText("a part of the message", part, true));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckAttr(const Stmt& stmt) {
  IRATE_RETURN_IF_ERROR(CheckText("the key", stmt.name(), false));
  IRATE_RETURN_IF_ERROR(CheckPart("value", stmt.args(0), Accept::kString));
  Region region(this);
  if (stmt.has_attr_node()) {
    const AttrNode& node = stmt.attr_node();
    IRATE_RETURN_IF_ERROR(CheckUnknownFields(node));
    if (node.thread_variable() != 0 && node.node_case() != AttrNode::kThreadTag) {
      return Fail("attr_node has a thread variable but no thread tag");
    }
    // A pass may attach an attribute above the definition that it is about.
    check_scope_ = check_scope_ && !options_.lifted;
    absl::Status status;
    switch (node.node_case()) {
      case AttrNode::kBuffer:
        status = UseBuffer(node.buffer());
        break;
      case AttrNode::kVariable:
        status = UseVariable(node.variable());
        break;
      case AttrNode::kText:
        status = CheckText("the node's text", node.text(), true);
        break;
      case AttrNode::kThreadTag: {
        status = CheckText("the thread tag", node.thread_tag(), false);
        // One hardware thread index may be bound again below its binding.
        const bool again = options_.lifted && IsLive(node.thread_variable());
        if (status.ok() && !again) status = Define(node.thread_variable());
        break;
      }
      case AttrNode::NODE_NOT_SET:
        status = Fail("attr_node is set but names nothing");
        break;
    }
    check_scope_ = true;
    IRATE_RETURN_IF_ERROR(status);
  }
  return CheckList("body", stmt.body());
}

absl::Status FunctionVerifier::CheckJump(const Stmt& stmt) {
  if (loops_.empty()) return Fail(fmt::format("{} outside a loop", StmtKindName(stmt.kind())));
  const Stmt& loop = *loops_.back();
  if (!options_.lifted && loop.kind() == FOR && loop.loop_kind() != SERIAL) {
    return Fail(fmt::format("{} in a {} loop; only serial loops and while loops have it",
                            StmtKindName(stmt.kind()), LoopKind_Name(loop.loop_kind())));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckReturn(const Stmt& stmt) {
  Type type;
  if (stmt.args_size() != 0) {
    IRATE_RETURN_IF_ERROR(CheckPart("value", stmt.args(0)));
    type = TypeOf(stmt.args(0));
  }
  if (type == Type{function_.result(), 0}) return absl::OkStatus();
  return Fail(fmt::format("RETURN of {} from a function whose result is {}", ToString(type),
                          TypeName(function_.result())));
}

}  // namespace irate::verify
