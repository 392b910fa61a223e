// The verifier of one function: state shared by the rules in verify_expr.cc,
// verify_convert.cc, verify_call.cc, verify_stmt.cc, verify_block.cc, verify_scope.cc and
// verify_function.cc.
//
// Recursive, so it runs only on messages whose depth was measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "ir/irate.pb.h"
#include "ir/types.h"
#include "ir/utf8.h"
#include "ir/verify.h"

namespace irate::verify {

struct Type {
  ScalarType scalar = VOID;
  uint32_t lanes = 0;  // as in Expr
  bool operator==(const Type&) const = default;
};

inline Type TypeOf(const Expr& expr) { return {expr.type(), expr.lanes()}; }
inline Type TypeOf(const Variable& variable) { return {variable.type(), variable.lanes()}; }
std::string ToString(Type type);  // "f32x4"

// Functions of the module by name.
using FunctionIndex = std::unordered_map<std::string_view, int>;

// InvalidArgument if a function calls itself, directly or through others.
absl::Status CheckCallGraph(const Module& module, const FunctionIndex& index);
// What surrounds the module of a Case; the module was verified.
absl::Status CheckCaseParts(const Case& test_case);

bool HasUnknownFields(const google::protobuf::Message& message);
// Float fields distinguish -0.0 from unset, as serialisation does.
bool IsUnset(double value);

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, int index, const FunctionIndex& functions,
                   const VerifyOptions& options);
  absl::Status Run();

 private:
  // What a construct accepts in an expression's place, beside values.
  enum class Accept { kValue, kString, kVoid };

  // One step of the path in messages: a label, and an index if it is not negative.
  struct Step {
    std::string_view label;
    int index = -1;
    const Stmt* stmt = nullptr;
    bool nested_expr = false;
  };
  class Scope;   // a step of the path, for the life of the object
  class Region;  // what is defined during its life goes out of scope at its end

  absl::Status Fail(std::string_view message) const;
  std::string Describe(const Step& step) const;
  std::string VariableName(uint32_t id) const;
  std::string BufferName(uint32_t id) const;

  // verify_function.cc
  absl::Status CheckTables();
  absl::Status CheckParams();
  absl::Status CheckDimensionVariables();
  absl::Status CheckFunctionAttributes();
  absl::Status CheckBufferEntry(const Buffer& buffer);
  absl::Status CheckBufferExprs(const Buffer& buffer);
  absl::Status CheckDimension(const Expr& expr);
  absl::Status CheckUnknownFields(const google::protobuf::Message& message);
  absl::Status CheckText(std::string_view what, const std::string& text, bool may_be_empty);
  // Unique keys; values are any expression in scope.
  absl::Status CheckAttributes(const google::protobuf::RepeatedPtrField<Attribute>& attributes);

  // verify_scope.cc
  absl::Status Define(uint32_t variable);
  absl::Status DefineBuffer(uint32_t buffer);
  absl::Status UseVariable(uint32_t variable) const;
  absl::Status UseBuffer(uint32_t buffer) const;
  bool IsLive(uint32_t variable) const;

  // verify_expr.cc
  absl::Status CheckPart(std::string_view label, const Expr& expr, Accept accept = Accept::kValue);
  absl::Status CheckExpr(const Expr& expr);
  absl::Status CheckExprForm(const Expr& expr);
  absl::Status CheckArgs(const Expr& expr);
  absl::Status CheckRule(const Expr& expr);
  absl::Status CheckConst(const Expr& expr);
  absl::Status CheckBinary(const Expr& expr);
  absl::Status CheckNot(const Expr& expr);
  absl::Status CheckLet(const Expr& expr);
  absl::Status CheckLoad(const Expr& expr);
  // Indices starting at args[first]; the lanes of an element access go to `lanes`.
  absl::Status CheckIndices(const google::protobuf::RepeatedPtrField<Expr>& args, int first,
                            const Buffer& buffer, std::string_view what, uint32_t* lanes);
  absl::Status ExpectType(const Expr& expr, Type type);
  absl::Status CheckTypeForm(Type type);
  absl::Status CheckScalarInt(std::string_view label, const Expr& expr);
  absl::Status CheckScalarBool(std::string_view label, const Expr& expr);

  // verify_convert.cc
  absl::Status CheckChoice(const Expr& expr);
  absl::Status CheckConversion(const Expr& expr);
  absl::Status CheckShuffle(const Expr& expr);

  // verify_call.cc
  absl::Status CheckCall(const Expr& expr);
  absl::Status CheckIntrinsicTypes(const Expr& expr);
  absl::Status CheckFunctionCall(const Expr& expr);

  // verify_stmt.cc
  absl::Status CheckList(std::string_view label,
                         const google::protobuf::RepeatedPtrField<Stmt>& list);
  absl::Status CheckStmt(const Stmt& stmt);
  absl::Status CheckStmtForm(const Stmt& stmt);
  absl::Status CheckFor(const Stmt& stmt);
  absl::Status CheckIf(const Stmt& stmt);
  absl::Status CheckStore(const Stmt& stmt);
  absl::Status CheckBind(const Stmt& stmt);
  absl::Status CheckDeclBuffer(const Stmt& stmt);
  absl::Status CheckAssert(const Stmt& stmt);
  absl::Status CheckAttr(const Stmt& stmt);
  absl::Status CheckJump(const Stmt& stmt);
  absl::Status CheckReturn(const Stmt& stmt);

  // verify_block.cc
  absl::Status CheckBlock(const Stmt& stmt);
  absl::Status CheckIter(const BlockIter& iter);
  absl::Status CheckRange(const Range& range, bool one_type);
  absl::Status CheckBufferRegion(const BufferRegion& region);
  absl::Status CheckMatchedShape(const BufferRegion& source, const Buffer& buffer);
  absl::Status CheckMatch(const MatchBuffer& match);

  enum class State : uint8_t { kUndefined, kLive, kEnded };

  const Module& module_;
  const FunctionIndex& functions_;
  const Function& function_;
  const int index_;
  const VerifyOptions options_;
  std::vector<Step> path_;
  std::vector<State> variables_;
  std::vector<State> buffers_;
  std::vector<uint32_t> live_variables_;  // in order of definition
  std::vector<uint32_t> live_buffers_;
  std::vector<const Stmt*> loops_;
  // Off while table entries are checked that no statement declares.
  bool check_scope_ = true;
};

class FunctionVerifier::Scope {
 public:
  Scope(FunctionVerifier* verifier, Step step) : verifier_(verifier) {
    verifier_->path_.push_back(step);
  }
  ~Scope() { verifier_->path_.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  FunctionVerifier* verifier_;
};

class FunctionVerifier::Region {
 public:
  explicit Region(FunctionVerifier* verifier)
      : verifier_(verifier),
        variables_(verifier->live_variables_.size()),
        buffers_(verifier->live_buffers_.size()) {}
  ~Region() {
    End(&verifier_->live_variables_, variables_, &verifier_->variables_);
    End(&verifier_->live_buffers_, buffers_, &verifier_->buffers_);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  static void End(std::vector<uint32_t>* live, size_t mark, std::vector<State>* states) {
    while (live->size() > mark) {
      (*states)[live->back()] = State::kEnded;
      live->pop_back();
    }
  }
  FunctionVerifier* verifier_;
  size_t variables_;
  size_t buffers_;
};

}  // namespace irate::verify
