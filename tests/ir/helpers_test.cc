// Facts about types, operators and intrinsics; walks; renumbering; hashing; dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ir/builder.h"
#include "ir/canonical.h"
#include "ir/dimensions.h"
#include "ir/intrinsics.h"
#include "ir/ops.h"
#include "ir/rewrite_ids.h"
#include "ir/text.h"
#include "ir/types.h"
#include "ir/utf8.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Module Parse(const std::string& text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  EXPECT_TRUE(Verify(*module).ok()) << Verify(*module);
  return *std::move(module);
}

TEST(Types, EveryTypeHasItsFacts) {
  for (int i = 0; i < ScalarType_descriptor()->value_count(); ++i) {
    const auto type = static_cast<ScalarType>(ScalarType_descriptor()->value(i)->number());
    EXPECT_EQ(ParseTypeName(TypeName(type)), type);
    const int kinds = IsSigned(type) + IsUnsigned(type) + IsFloat(type) + (type == BOOL) +
                      (type == VOID) + (type == HANDLE);
    EXPECT_EQ(kinds, 1) << TypeName(type);
    EXPECT_EQ(IsFloat(type), ExactIntegerLimit(type) > 0) << TypeName(type);
  }
  EXPECT_EQ(BitWidth(BF16), 16);
  EXPECT_EQ(ByteSize(BOOL), 1);
  EXPECT_EQ(ByteSize(F8E5M2), 1);
  EXPECT_EQ(MinValue(I8), -128);
  EXPECT_EQ(MaxValue(I8), 127);
  EXPECT_EQ(MaxValue(U32), 4294967295);
  EXPECT_EQ(MinValue(I64), INT64_MIN);
  EXPECT_EQ(MaxValue(I64), INT64_MAX);
  EXPECT_EQ(MinValue(U64), 0);
  EXPECT_EQ(MaxValue(BOOL), 1);
  for (ScalarType type : {VOID, HANDLE, F32, F64}) {
    EXPECT_EQ(MinValue(type), 0);
    EXPECT_EQ(MaxValue(type), 0);
  }
  EXPECT_EQ(ParseTypeName("i33"), std::nullopt);
}

TEST(Ops, EveryOperatorHasItsFacts) {
  for (int i = 0; i < Op_descriptor()->value_count(); ++i) {
    const auto op = static_cast<Op>(Op_descriptor()->value(i)->number());
    if (op == OP_INVALID) continue;
    ASSERT_NE(FindOp(op), nullptr) << OpName(op);
    EXPECT_EQ(FindOp(op)->op, op);
  }
  EXPECT_EQ(FindOp(OP_INVALID), nullptr);
  EXPECT_EQ(FindOp(static_cast<Op>(6)), nullptr);
  EXPECT_EQ(FindOp(static_cast<Op>(-1)), nullptr);
  EXPECT_EQ(FindOp(static_cast<Op>(1'000'000)), nullptr);
  EXPECT_EQ(OpName(static_cast<Op>(6)), "OP_UNKNOWN");
}

TEST(Intrinsics, LookUpFindsEachAndNothingElse) {
  EXPECT_GT(Intrinsics().size(), 90u);
  for (const Intrinsic& intrinsic : Intrinsics()) {
    EXPECT_EQ(FindIntrinsic(intrinsic.name), &intrinsic);
    EXPECT_TRUE(intrinsic.max_args == -1 || intrinsic.max_args >= intrinsic.min_args);
    // Signatures are about a first operand.
    if (intrinsic.signature != IntrinsicSignature::kAny) EXPECT_GE(intrinsic.min_args, 1);
  }
  for (const char* name : {"", "ex", "exp1", "expp", "zzz", "A"}) {
    EXPECT_EQ(FindIntrinsic(name), nullptr) << name;
  }
}

TEST(Utf8, AcceptsTextAndNothingElse) {
  for (const char* text :
       {"", "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  for (const char* text :
       {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xe2\x82", "a\xff"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
}

constexpr char kProgram[] = R"(
func @main(buffer A, scalar k) attributes {"noalias" = true} {
  var unused, k, i, x, n: i32
  buffer unused: f32[4]
  buffer A: f32[n + 0, n]
  buffer T: f32[4]

  alloc T
  for i in 0..4 {
    let x = i + k
    A[x, 0] = T[i] + 1.0
    if x < 3 {
      T[i] = 0.0
    } else {
      eval @other(A.data)
    }
  }
  block "b" {
    init {
      T[0] = 2.0
    }
    T[1] = 3.0
  }
}

private func @other(buffer B) {
  buffer B: f32[1]
}
)";

TEST(Visit, ReachesEverything) {
  const Module module = Parse(kProgram);
  const Function& f = module.functions(0);
  std::vector<StmtKind> kinds;
  VisitStmts(f, [&](const Stmt& stmt) { kinds.push_back(stmt.kind()); });
  EXPECT_THAT(kinds,
              ElementsAre(ALLOC, FOR, BIND, STORE, IF, STORE, EVALUATE, BLOCK, STORE, STORE));
  int count = 0;
  VisitExprs(f, [&](const Expr&) { ++count; });
  // 1 attribute, 6 in buffers, 2 bounds, 3 bound, 6 stored, 3 compared, 2 stored, 2 called,
  // 2 + 2 in the block.
  EXPECT_EQ(count, 29);
  EXPECT_EQ(CountNodes(module), 29 + 10 + 1);
}

TEST(Visit, MutableWalksMayReplace) {
  Module module = Parse(kProgram);
  Function* f = module.mutable_functions(0);
  VisitExprs(f, [](Expr& expr) {
    if (expr.op() == CONST && expr.type() == F32) expr = build::Unary(BIT_NOT, expr);
  });
  int wrapped = 0;
  VisitExprs(*f, [&](const Expr& expr) { wrapped += expr.op() == BIT_NOT; });
  EXPECT_EQ(wrapped, 4);
  int lists = 0;
  VisitLists(f, [&](StmtList& list) {
    ++lists;
    for (int i = list.size() - 1; i >= 0; --i) {
      if (list[i].kind() == STORE) list.DeleteSubrange(i, 1);
    }
  });
  // The function's body; body and orelse of each of the 6 statements left; the block's init.
  EXPECT_EQ(lists, 1 + 2 * 10 + 1);
  VisitStmts(*f, [](const Stmt& stmt) { EXPECT_NE(stmt.kind(), STORE); });
}

TEST(Dimensions, AreTheVariablesOfParametersThatAreNoParameters) {
  const Module module = Parse(R"(
func @main(buffer A, scalar k, buffer B) {
  var a, b, k, c, o: i32
  buffer A: f32[c, k, b]
  buffer B: f32[b, 4] strides [a, 1] offset o
  buffer T: f32[k]
  alloc T
}
)");
  EXPECT_THAT(DimensionVariables(module.functions(0)), ElementsAre(3, 1, 0, 4));
  EXPECT_THAT(DimensionVariables(Function()), IsEmpty());
}

TEST(RewriteIds, ReachesEveryIdOnce) {
  for (const samples::Sample& sample : samples::All()) {
    Module shifted = sample.test_case.module();
    for (Function& function : *shifted.mutable_functions()) {
      // Ten entries in front of each table.
      const IdMap shift{.variable = [](uint32_t id) { return id + 10; },
                        .buffer = [](uint32_t id) { return id + 10; }};
      Function old = function;
      function.clear_variables();
      function.clear_buffers();
      for (int i = 0; i < 10; ++i) {
        build::AddVariable(&function, "unused", F16);
        build::AddBuffer(&function, "unused", F16, {});
      }
      for (Variable& variable : *old.mutable_variables()) *function.add_variables() = variable;
      for (Buffer& buffer : *old.mutable_buffers()) {
        RewriteIds(&buffer, shift);
        *function.add_buffers() = buffer;
      }
      for (Param& param : *function.mutable_params()) param.set_id(param.id() + 10);
      for (Attribute& attr : *function.mutable_attrs()) RewriteIds(attr.mutable_value(), shift);
      for (Stmt& stmt : *function.mutable_body()) RewriteIds(&stmt, shift);
    }
    const absl::Status status = Verify(shifted, {.lifted = sample.lifted});
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(StructuralHash(shifted), StructuralHash(sample.test_case.module())) << sample.name;
    EXPECT_EQ(PrintModule(Canonicalize(shifted)),
              PrintModule(Canonicalize(sample.test_case.module())));
  }
}

TEST(Canonicalize, NumbersByFirstUseAndDropsTheRest) {
  const Module module = Canonicalize(Parse(kProgram));
  EXPECT_EQ(PrintFunction(module.functions(0)),
            R"(func @main(buffer A, scalar k) attributes {"noalias" = true} {
  var n, k, i, x: i32
  buffer A: f32[n + 0, n]
  buffer T: f32[4]

  alloc T
  for i in 0..4 {
    let x = i + k
    A[x, 0] = T[i] + 1.0
    if x < 3 {
      T[i] = 0.0
    } else {
      eval @other(A.data)
    }
  }
  block "b" {
    init {
      T[0] = 2.0
    }
    T[1] = 3.0
  }
}
)");
}

TEST(Canonicalize, CasesKeepTheirDimensions) {
  for (const samples::Sample& sample : samples::All()) {
    if (sample.lifted) continue;
    const Case canonical = Canonicalize(sample.test_case);
    EXPECT_TRUE(VerifyCase(canonical).ok()) << sample.name << VerifyCase(canonical);
    EXPECT_EQ(canonical.has_inputs(), sample.test_case.has_inputs());
    for (int i = 0; i < canonical.inputs().dims_size(); ++i) {
      const auto name = [&](const Case& c) {
        return c.module()
            .functions(0)
            .variables(static_cast<int>(c.inputs().dims(i).variable()))
            .name();
      };
      EXPECT_EQ(name(canonical), name(sample.test_case));
    }
  }
}

TEST(StructuralHash, ForgetsNamesAndNothingElse) {
  const std::string text(kProgram);
  const uint64_t hash = StructuralHash(Parse(text));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    for (size_t at = 0; (at = changed.find(from, at)) != std::string::npos; at += to.size()) {
      changed.replace(at, from.size(), to);
    }
    EXPECT_NE(changed, text);
    return StructuralHash(Parse(changed));
  };
  EXPECT_EQ(replaced("@main", "@entry"), hash);
  EXPECT_EQ(replaced("@other", "@renamed"), hash);
  EXPECT_EQ(replaced("A", "Input"), hash);
  EXPECT_EQ(replaced("x", "y"), hash);
  EXPECT_EQ(replaced("\"b\"", "\"block\""), hash);
  EXPECT_EQ(replaced("var unused, k, i", "var i, k"), hash);
  std::set<uint64_t> different = {hash,
                                  replaced("1.0", "2.0"),
                                  replaced("0..4", "0..5"),
                                  replaced("x < 3", "x <= 3"),
                                  replaced("T: f32[4]", "T: f32[5]"),
                                  replaced("T[0] = 2.0", "T[1] = 2.0"),
                                  replaced("i + k", "k + i"),
                                  replaced("for i in 0..4", "for i in 0..4 parallel"),
                                  replaced("noalias\" = true", "noalias\" = false")};
  EXPECT_EQ(different.size(), 9u);
}

}  // namespace
}  // namespace irate
