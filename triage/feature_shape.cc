#include "triage/feature_shape.h"

#include <cctype>
#include <set>
#include <string_view>

#include "ir/types.h"
#include "ir/visit.h"

namespace irate {
namespace {

std::string Lower(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '_') result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return result;
}

std::string OpFeature(const Expr& expr) {
  switch (expr.op()) {
    case CONST:
    case VAR:
    case STRING:
    case LOAD:
    case BUFFER_DATA:
      return "";
    case LT:
    case LE:
    case GT:
    case GE:
      return "compare";
    case EQ:
    case NE:
      return "equal";
    case CALL:
      return expr.name().starts_with("@") ? "call" : expr.name();
    default:
      return Lower(OpName(expr.op()));
  }
}

bool IsRingOp(Op op) { return op == ADD || op == SUB || op == MUL; }
bool IsCommonType(ScalarType type) { return type == I32 || type == F32 || type == BOOL; }

std::string StmtFeature(const Stmt& stmt) {
  switch (stmt.kind()) {
    case FOR:
      return stmt.loop_kind() == SERIAL ? "" : Lower(LoopKind_Name(stmt.loop_kind()));
    case STORE:
    case EVALUATE:
      return "";
    case BLOCK:
      return stmt.block().init().empty() ? "block" : "block_init";
    default:
      return Lower(StmtKindName(stmt.kind()));
  }
}

std::string Join(const std::set<std::string>& names) {
  std::string result;
  for (const std::string& name : names) {
    if (!result.empty()) result.push_back('.');
    result += name;
  }
  return result;
}

}  // namespace

std::string FeatureShape(const Module& module) {
  std::set<std::string> features;
  std::set<std::string> ring;
  for (const Function& function : module.functions()) {
    VisitExprs(function, [&](const Expr& expr) {
      std::string name = OpFeature(expr);
      if (name.empty()) return;
      if (!IsCommonType(expr.type())) name += "_" + std::string(TypeName(expr.type()));
      (IsRingOp(expr.op()) && IsCommonType(expr.type()) ? ring : features).insert(name);
    });
    VisitStmts(function, [&](const Stmt& stmt) {
      const std::string name = StmtFeature(stmt);
      if (!name.empty()) features.insert(name);
    });
  }
  return Join(features.empty() ? ring : features);
}

}  // namespace irate
