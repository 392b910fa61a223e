// Reductions over some axes, in the shapes in which compilers meet them: a block with init, an init
// nest and an update nest, an inner loop after a store, a local accumulator.
#pragma once

#include <functional>
#include <vector>

#include "generators/context.h"
#include "generators/program.h"
#include "generators/term.h"
#include "ir/irate.pb.h"

namespace irate {

enum class Combiner { kSum, kProduct, kMin, kMax };

// The terms' limit so that the reduction of `trips` of them fits `type`; 0 if none does.
Limit TermLimit(Combiner combiner, ScalarType type, int64_t trips);
// A combiner that is switched on and fits.
Combiner DrawCombiner(Context& context, ScalarType type, int64_t trips);

struct Reduction {
  BufferInfo* output = nullptr;  // one element per point of its shape
  std::vector<Extent> reduced;
  Combiner combiner = Combiner::kSum;
  // Start from what the output holds instead of from the neutral element. Needs initialised output.
  bool keep_initial = false;
  // One term at the given indices, within the limit.
  std::function<Term(const std::vector<Expr>& spatial, const std::vector<Expr>& reduced,
                     Limit limit)>
      term;
  // What becomes of the result in a local accumulator before it is stored; may be empty.
  std::function<Term(Term result)> epilogue;
};

std::vector<Stmt> GenerateReduction(Context& context, const Reduction& reduction);

}  // namespace irate
