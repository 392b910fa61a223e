// The body of the entry under construction: stages that follow each other, the buffers between
// them, and what surrounds the whole.
#pragma once

#include <string_view>
#include <vector>

#include "generators/axis.h"
#include "generators/context.h"
#include "generators/element.h"
#include "ir/irate.pb.h"

namespace irate {

class Program {
 public:
  explicit Program(Context& context) : context_(context) {}

  // A buffer that a later stage reads: an allocation, or a parameter where those are off.
  BufferInfo AddStage(ScalarType type, const std::vector<Extent>& shape, bool may_spread = true);
  // `may_spread` as in Context::AddParam.
  BufferInfo AddOutput(ScalarType type, const std::vector<Extent>& shape, bool may_spread = true);
  // Whether stores to `buffer` may be left out: its elements have values from the start.
  bool IsInitialised(const BufferInfo& buffer) const;

  void Append(std::vector<Stmt> stmts);
  // Everything stored so far may be read at any place from now on.
  void Publish(const BufferInfo& buffer) { context_.readable.push_back(buffer); }

  // `may_wrap`: one block may surround everything.
  Case Finish(bool may_wrap = true);

 private:
  Context& context_;
  std::vector<Stmt> body_;
  std::vector<uint32_t> stages_;
};

// `rank` extents whose product stays within the trip budget.
std::vector<Extent> DrawShape(Context& context, int64_t rank, int64_t budget);
std::vector<Axis> SpatialAxes(const std::vector<Extent>& shape);

// Two parts of a list of statements, or of expressions.
void AppendTo(std::vector<Stmt>* body, std::vector<Stmt> more);

// A nest over every element of `buffer`, one GenerateElement each.
std::vector<Stmt> GenerateElementwise(Context& context, BufferInfo* buffer, bool initialised,
                                      int depth);

}  // namespace irate
