#include "triage/feature_shape.h"

#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "fmt/format.h"
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
bool IsConversion(Op op) { return op == CAST || op == REINTERPRET; }
bool IsCommonType(ScalarType type) { return type == I32 || type == F32 || type == BOOL; }

// Which rules of a compiler apply to a type. Two integer widths are one class: what breaks with one
// breaks with the other, or the culprit says otherwise.
std::string_view TypeClass(ScalarType type) {
  if (IsUnsigned(type)) return "_u";
  if (type == F16 || type == BF16) return "_half";
  if (type == F8E4M3FN || type == F8E5M2) return "_fp8";
  return "";
}

// What a name of the shape tells of the cause. Only the names of the strongest kind are listed: the
// others are there by accident where a reduction was cut short.
enum Strength { kTelling, kTyped, kCommon, kStrengths };

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
  std::array<std::set<std::string>, kStrengths> features;
  for (const Function& function : module.functions()) {
    VisitExprs(function, [&](const Expr& expr) {
      const std::string name = OpFeature(expr);
      if (name.empty()) return;
      if (!IsRingOp(expr.op()) && !IsConversion(expr.op())) {
        features[kTelling].insert(name + std::string(TypeClass(expr.type())));
      } else if (IsRingOp(expr.op()) && IsCommonType(expr.type())) {
        features[kCommon].insert(name);
      } else {
        features[kTyped].insert(fmt::format("{}_{}", name, TypeName(expr.type())));
      }
    });
    VisitStmts(function, [&](const Stmt& stmt) {
      const std::string name = StmtFeature(stmt);
      if (!name.empty()) features[kTelling].insert(name);
    });
  }
  for (const std::set<std::string>& names : features) {
    if (!names.empty()) return Join(names);
  }
  return "";
}

}  // namespace irate
