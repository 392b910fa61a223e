// The elements of one buffer get another type: loads and stores of it convert.
#include <array>
#include <set>

#include "generators/mutate/inputs.h"
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr auto kTypes =
    std::to_array<ScalarType>({I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, BOOL});

// Buffers whose memory is seen through something else as well: a pointer, a view, a match-buffer.
std::set<uint32_t> BuffersWithData(const Function& function) {
  std::set<uint32_t> result;
  VisitExprs(function, [&](const Expr& expr) {
    if (expr.op() == BUFFER_DATA) result.insert(expr.id());
  });
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() == DECL_BUFFER) result.insert(stmt.id());
    for (const MatchBuffer& match : stmt.block().match_buffers()) {
      result.insert(match.buffer());
      result.insert(match.source().buffer());
    }
  });
  return result;
}

class RetypeBuffer : public Mutator {
 public:
  std::string_view Name() const override { return "retype-buffer"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    const std::set<uint32_t> fixed = BuffersWithData(*function);
    std::vector<uint32_t> ids;
    for (int i = 0; i < function->buffers_size(); ++i) ids.push_back(static_cast<uint32_t>(i));
    const uint32_t* id = Pick(ids, choices, [&](uint32_t candidate) {
      const Buffer& buffer = function->buffers(static_cast<int>(candidate));
      return buffer.lanes() == 0 && IsValueType(buffer.type()) && !fixed.contains(candidate);
    });
    if (id == nullptr) return false;
    Buffer* buffer = function->mutable_buffers(static_cast<int>(*id));
    const ScalarType from = buffer->type();
    const ScalarType to = kTypes[static_cast<size_t>(PickIndex(kTypes.size(), choices))];
    if (to == from) return false;
    buffer->set_type(to);
    VisitExprs(function, [&](Expr& expr) {
      if (expr.op() != LOAD || expr.id() != *id) return;
      Expr load = expr;
      load.set_type(to);
      expr = build::Cast(from, std::move(load));
    });
    VisitStmts(function, [&](Stmt& stmt) {
      if (stmt.kind() != STORE || stmt.id() != *id) return;
      Expr value = stmt.args(0);
      *stmt.mutable_args(0) = build::Cast(to, std::move(value));
    });
    FitInputs(test_case);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeRetypeBuffer() { return std::make_unique<RetypeBuffer>(); }

}  // namespace irate
