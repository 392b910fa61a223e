// Integer expressions at many points at once.
//
// Two readings of one expression:
//
//  * the *question's*: strict. All operands count, those of the arm not chosen too. A value outside
//    its type (int32, int64) makes the point no test: TVM assumes that index arithmetic does not
//    overflow (rewrite_simplify.cc and canonical_simplify.cc treat int32 and int64 as integers
//    without bounds; const_int_bound.h), and so does its code generation (nsw). So does a division
//    by zero, a shift by a negative amount, and a cast that does not keep the value.
//  * the *answer's*: over unbounded integers (a point at which int64 does not suffice is no test).
//    A division by zero counts only where its value is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "google/protobuf/repeated_field.h"
#include "ir/irate.pb.h"
#include "oracles/analysis/points.h"

namespace irate::analysis {

enum State : uint8_t {
  kOk = 0,
  kUndefined = 1,
  kOverflow = 2,
};

// One entry for each point, and for each lane of a point where the question has vectors.
struct Column {
  std::vector<int64_t> values;
  std::vector<uint8_t> states;
};

// The ends of an unbounded set; compared, never calculated with.
inline constexpr int64_t kPosInf = INT64_MAX;
inline constexpr int64_t kNegInf = -INT64_MAX;

class Evaluator {
 public:
  enum class Reading { kQuestion, kAnswer };

  // `variables`: of the question, then of the answers. A variable that is called "pos_inf" or
  // "neg_inf" is an end of an unbounded set.
  Evaluator(const Points& points, const google::protobuf::RepeatedPtrField<Variable>& variables,
            uint32_t lanes);

  // The number of entries: points times lanes.
  size_t size() const { return size_; }
  uint32_t lanes() const { return lanes_; }

  // Gives a variable values of its own.
  void SetVariable(uint32_t id, Column column);

  // False if the expression has a construct that is not modelled: `*unsupported` names it.
  bool Evaluate(const Expr& expr, Reading reading, Column* result, std::string* unsupported);

 private:
  bool Visit(const Expr& expr, Column* result);
  bool VisitChoice(const Expr& expr, Column* result);
  bool VisitLogic(const Expr& expr, Column* result);
  bool VisitRamp(const Expr& expr, Column* result);
  bool VisitLet(const Expr& expr, Column* result);
  bool VisitCast(const Expr& expr, Column* result);
  bool VisitBinary(const Expr& expr, Column* result);
  bool Fail(const Expr& expr);
  void CheckRange(ScalarType type, Column* column) const;

  const uint32_t lanes_;
  const size_t size_;
  std::vector<Column> variables_;
  Reading reading_ = Reading::kQuestion;
  std::string unsupported_;
};

// The value of an arithmetic, comparison or bit operator at one point; kOk, or why there is none.
State ApplyOperator(Op op, int64_t a, int64_t b, int64_t* result);

}  // namespace irate::analysis
