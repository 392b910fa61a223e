#include "ir/properties.h"

#include <algorithm>
#include <array>
#include <set>

#include "fmt/format.h"
#include "ir/pass_map.h"
#include "ir/types.h"
#include "ir/visit.h"

namespace irate {
namespace {

using Offender = std::optional<std::string>;

// The description that `describe` gives of the first statement for which it gives one.
template <typename F>
Offender FirstStmt(const Module& module, F describe) {
  for (const Function& function : module.functions()) {
    Offender found;
    VisitStmts(function, [&](const Stmt& stmt) {
      if (found.has_value()) return;
      if (Offender text = describe(function, stmt)) {
        found = fmt::format("{} in function {}", *text, function.name());
      }
    });
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

// The same for expressions of the body, not of attributes and declarations.
template <typename F>
Offender FirstExpr(const Module& module, F describe) {
  return FirstStmt(module, [&](const Function& function, const Stmt& stmt) {
    Offender found;
    ForEachRootExpr(stmt, [&](const Expr& root) {
      VisitExpr(root, [&](const Expr& expr) {
        if (!found.has_value()) found = describe(function, expr);
      });
    });
    return found;
  });
}

std::string BufferName(const Function& function, uint32_t id) {
  return id < static_cast<uint32_t>(function.buffers_size())
             ? function.buffers(static_cast<int>(id)).name()
             : "";
}

Offender BlockInit(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != BLOCK || stmt.block().init().empty()) return std::nullopt;
    return fmt::format("block {} has an initialiser", stmt.block().name());
  });
}

Offender BlockIterators(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != BLOCK || stmt.block().iters().empty()) return std::nullopt;
    return fmt::format("block {} has iterators", stmt.block().name());
  });
}

Offender MatchBuffers(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != BLOCK || stmt.block().match_buffers().empty()) return std::nullopt;
    return fmt::format("block {} matches buffers", stmt.block().name());
  });
}

Offender Blocks(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != BLOCK) return std::nullopt;
    return fmt::format("block {}", stmt.block().name());
  });
}

Offender SeveralIndices(const Module& module) {
  const Offender store =
      FirstStmt(module, [](const Function& function, const Stmt& stmt) -> Offender {
        if (stmt.kind() != STORE || stmt.args_size() <= 2) return std::nullopt;
        return fmt::format("a store to {} with {} indices", BufferName(function, stmt.id()),
                           stmt.args_size() - 1);
      });
  if (store.has_value()) return store;
  return FirstExpr(module, [](const Function& function, const Expr& expr) -> Offender {
    if (expr.op() != LOAD || expr.args_size() <= 1) return std::nullopt;
    return fmt::format("a load from {} with {} indices", BufferName(function, expr.id()),
                       expr.args_size());
  });
}

template <LoopKind kKind>
Offender Loops(const Module& module) {
  return FirstStmt(module, [](const Function& function, const Stmt& stmt) -> Offender {
    if (stmt.kind() != FOR || stmt.loop_kind() != kKind) return std::nullopt;
    return fmt::format("loop {}", function.variables(static_cast<int>(stmt.id())).name());
  });
}

bool IsInt(const Expr& expr, int64_t value) {
  return expr.op() == CONST && expr.int_value() == value;
}

Offender OddLoops(const Module& module) {
  return FirstStmt(module, [](const Function& function, const Stmt& stmt) -> Offender {
    if (stmt.kind() != FOR) return std::nullopt;
    const bool step_is_one = stmt.args_size() < 3 || IsInt(stmt.args(2), 1);
    if (IsInt(stmt.args(0), 0) && step_is_one) return std::nullopt;
    return fmt::format("loop {} does not run from 0 in steps of 1",
                       function.variables(static_cast<int>(stmt.id())).name());
  });
}

Offender Asserts(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != ASSERT) return std::nullopt;
    return "an assertion";
  });
}

Offender CallsOf(const Module& module, std::string_view name) {
  return FirstExpr(module, [name](const Function&, const Expr& expr) -> Offender {
    if (expr.op() != CALL || expr.name() != name) return std::nullopt;
    return fmt::format("a call of {}", name);
  });
}

Offender Assumptions(const Module& module) { return CallsOf(module, "assume"); }
Offender UndefinedValues(const Module& module) { return CallsOf(module, "undef"); }

bool IsBf16(ScalarType type) { return type == BF16; }
bool IsFp8(ScalarType type) { return type == F8E4M3FN || type == F8E5M2; }

template <bool (*kIs)(ScalarType)>
Offender Arithmetic(const Module& module) {
  return FirstExpr(module, [](const Function&, const Expr& expr) -> Offender {
    const bool computes = expr.op() == ADD || expr.op() == SUB || expr.op() == MUL ||
                          expr.op() == DIV || expr.op() == MIN || expr.op() == MAX;
    if (!computes || !kIs(expr.type())) return std::nullopt;
    return fmt::format("{} of {}", Op_Name(expr.op()), ScalarType_Name(expr.type()));
  });
}

template <bool (*kIs)(ScalarType)>
Offender Accesses(const Module& module) {
  const auto describe = [](const Function& function, uint32_t id) -> Offender {
    if (id >= static_cast<uint32_t>(function.buffers_size())) return std::nullopt;
    const Buffer& buffer = function.buffers(static_cast<int>(id));
    if (!kIs(buffer.type())) return std::nullopt;
    return fmt::format("buffer {} of {}", buffer.name(), ScalarType_Name(buffer.type()));
  };
  const Offender stmt =
      FirstStmt(module, [&describe](const Function& function, const Stmt& s) -> Offender {
        if (s.kind() != STORE && s.kind() != ALLOC) return std::nullopt;
        return describe(function, s.id());
      });
  if (stmt.has_value()) return stmt;
  return FirstExpr(module, [&describe](const Function& function, const Expr& expr) -> Offender {
    return expr.op() == LOAD ? describe(function, expr.id()) : std::nullopt;
  });
}

Offender BoundTwice(const Module& module) {
  for (const Function& function : module.functions()) {
    std::set<uint32_t> bound;
    Offender found;
    const auto bind = [&](uint32_t id) {
      if (bound.insert(id).second || found.has_value()) return;
      found = fmt::format("variable {} is bound twice in function {}",
                          function.variables(static_cast<int>(id)).name(), function.name());
    };
    for (const Param& param : function.params()) {
      if (param.kind() == PARAM_SCALAR) bind(param.id());
    }
    VisitStmts(function, [&](const Stmt& stmt) {
      if (stmt.kind() == FOR || stmt.kind() == BIND) bind(stmt.id());
      if (stmt.kind() == BLOCK) {
        for (const BlockIter& iter : stmt.block().iters()) bind(iter.variable());
      }
    });
    VisitExprs(function, [&](const Expr& expr) {
      if (expr.op() == LET) bind(expr.id());
    });
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

Offender VirtualThreads(const Module& module) {
  return FirstStmt(module, [](const Function&, const Stmt& stmt) -> Offender {
    if (stmt.kind() != ATTR || stmt.name() != "virtual_thread") return std::nullopt;
    return "a virtual thread";
  });
}

Offender PlainExports(const Module& module) {
  for (const Function& function : module.functions()) {
    if (function.is_private()) continue;
    const bool has_convention =
        std::ranges::any_of(function.attrs(), [](const Attribute& attribute) {
          return attribute.key() == "calling_conv" && attribute.value().int_value() != 0;
        });
    if (!has_convention) return fmt::format("function {}", function.name());
  }
  return std::nullopt;
}

Offender Nothing(const Module& /*module*/) { return std::nullopt; }

constexpr auto kProperties = std::to_array<Property>({
    {kIdempotent, "a second run of the pass in a row changes nothing", Nothing},
    {"bound-once", "no variable is bound in two places of a function", BoundTwice},
    {"flat-buffers", "loads and stores have one index", SeveralIndices},
    {"loops-from-zero", "loops run from 0 in steps of 1", OddLoops},
    {"no-asserts", "no assertions", Asserts},
    {"no-assume", "no assumptions", Assumptions},
    {"no-bf16-arithmetic", "no arithmetic on bf16", Arithmetic<IsBf16>},
    {"no-bf16-storage", "no buffer of bf16 is allocated, read or written", Accesses<IsBf16>},
    {"no-block-init", "blocks have no initialisers", BlockInit},
    {"no-block-iterators", "blocks have no iterators", BlockIterators},
    {"no-blocks", "no blocks", Blocks},
    {"no-fp8-arithmetic", "no arithmetic on fp8", Arithmetic<IsFp8>},
    {"no-fp8-storage", "no buffer of fp8 is allocated, read or written", Accesses<IsFp8>},
    {"no-match-buffers", "blocks match no buffers", MatchBuffers},
    {"no-undef", "no undefined values", UndefinedValues},
    {"no-vectorized-loops", "no vectorized loops", Loops<VECTORIZED>},
    {"no-virtual-threads", "no virtual threads", VirtualThreads},
    {"packed-exports", "exported functions have a packed calling convention", PlainExports},
});

}  // namespace

std::span<const Property> Properties() { return kProperties; }

std::vector<std::string> PropertyNames() {
  std::vector<std::string> names;
  for (const Property& property : kProperties) names.emplace_back(property.name);
  return names;
}

bool IsProperty(std::string_view name) {
  return std::ranges::find(kProperties, name, &Property::name) != kProperties.end();
}

std::optional<std::string> Offence(std::string_view property, const Module& module) {
  const auto* const found = std::ranges::find(kProperties, property, &Property::name);
  return found == kProperties.end() ? std::nullopt : found->offence(module);
}

}  // namespace irate
