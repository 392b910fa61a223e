// A number that is the extent of a parameter becomes another wherever it occurs in shapes, loops
// and iterators: the same program on other shapes.
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/ops.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

void Replace(Function* function, int64_t from, int64_t to) {
  const auto replace = [&](Expr& expr) {
    if (expr.op() == CONST && IsInteger(expr.type()) && expr.int_value() == from &&
        to <= MaxValue(I8)) {
      expr.set_int_value(to);
    }
  };
  for (Buffer& buffer : *function->mutable_buffers()) {
    for (Expr& extent : *buffer.mutable_shape()) VisitExpr(extent, replace);
    for (Expr& stride : *buffer.mutable_strides()) VisitExpr(stride, replace);
  }
  VisitStmts(function, [&](Stmt& stmt) {
    if (stmt.kind() == FOR) {
      for (int i = 0; i < 2; ++i) VisitExpr(*stmt.mutable_args(i), replace);
    }
    if (!stmt.has_block()) return;
    if (stmt.block().has_predicate())
      VisitExpr(*stmt.mutable_block()->mutable_predicate(), replace);
    for (BlockIter& iter : *stmt.mutable_block()->mutable_iters()) {
      VisitExpr(*iter.mutable_domain()->mutable_extent(), replace);
    }
    for (MatchBuffer& match : *stmt.mutable_block()->mutable_match_buffers()) {
      for (Range& range : *match.mutable_source()->mutable_ranges()) {
        VisitExpr(*range.mutable_extent(), replace);
      }
    }
  });
  // Guards and wrapped indices speak of extents too.
  VisitExprs(function, [&](Expr& expr) {
    if (IsComparison(expr.op()) || expr.op() == FLOOR_MOD || expr.op() == MIN) {
      for (Expr& arg : *expr.mutable_args()) replace(arg);
    }
  });
}

class ChangeExtent : public Mutator {
 public:
  std::string_view Name() const override { return "change-extent"; }
  int Weight() const override { return 10; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Module* module = test_case->mutable_module();
    std::vector<int64_t> extents;
    for (const Buffer& buffer : module->functions(0).buffers()) {
      for (const Expr& extent : buffer.shape()) {
        if (extent.op() == CONST) extents.push_back(extent.int_value());
      }
    }
    const int64_t* picked = Pick(extents, choices, [](int64_t n) { return n >= 1 && n <= 4'096; });
    if (picked == nullptr) return false;
    constexpr auto kSizes =
        std::to_array<int64_t>({1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64});
    const int64_t from = *picked;
    const int64_t to = choices.Chance(1, 3)
                           ? from + (choices.Chance(1, 2) || from == 1 ? 1 : -1)
                           : kSizes[static_cast<size_t>(PickIndex(kSizes.size(), choices))];
    if (to == from) return false;
    // Bounds that were derived from the number (n - 1, 2 n) move with it.
    const bool derived = choices.Chance(1, 2);
    for (Function& function : *module->mutable_functions()) {
      Replace(&function, from, to);
      if (derived && from > 2) Replace(&function, from - 1, to - 1);
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeExtent() { return std::make_unique<ChangeExtent>(); }

}  // namespace irate
