// Printing and parsing give the same message back, byte for byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

class Samples : public ::testing::TestWithParam<samples::Sample> {};

TEST_P(Samples, Verify) {
  const absl::Status status = GetParam().lifted
                                  ? Verify(GetParam().test_case.module(), {.lifted = true})
                                  : VerifyCase(GetParam().test_case);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_P(Samples, CasesRoundTrip) {
  const std::string text = PrintCase(GetParam().test_case);
  const absl::StatusOr<Case> parsed = ParseCase(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
  EXPECT_EQ(parsed->SerializeAsString(), GetParam().test_case.SerializeAsString()) << text;
  EXPECT_EQ(PrintCase(*parsed), text);
}

TEST_P(Samples, ModulesRoundTrip) {
  const std::string text = PrintModule(GetParam().test_case.module());
  const absl::StatusOr<Module> parsed = ParseModule(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
  EXPECT_EQ(parsed->SerializeAsString(), GetParam().test_case.module().SerializeAsString());
}

INSTANTIATE_TEST_SUITE_P(All, Samples, ::testing::ValuesIn(samples::All()),
                         [](const auto& param) { return param.param.name; });

// The samples are worth what they cover.
class Coverage : public ::testing::Test {
 protected:
  Coverage() {
    for (const samples::Sample& sample : samples::All()) {
      for (const Function& function : sample.test_case.module().functions()) {
        VisitExprs(function, [&](const Expr& expr) {
          ops_.insert(expr.op());
          types_.insert(expr.type());
        });
        VisitStmts(function, [&](const Stmt& stmt) {
          stmts_.insert(stmt.kind());
          loops_.insert(stmt.loop_kind());
          if (stmt.has_attr_node()) nodes_.insert(stmt.attr_node().node_case());
          for (const BlockIter& iter : stmt.block().iters()) iters_.insert(iter.kind());
        });
      }
    }
  }

  static void ExpectAll(const google::protobuf::EnumDescriptor* type, const std::set<int>& seen) {
    for (int i = 0; i < type->value_count(); ++i) {
      const auto* value = type->value(i);
      if (value->name() == "OP_INVALID" || value->name() == "STMT_INVALID") continue;
      EXPECT_TRUE(seen.contains(value->number())) << value->name() << " is in no sample";
    }
  }

  std::set<int> ops_, types_, stmts_, loops_, iters_, nodes_;
};

TEST_F(Coverage, EveryOperator) { ExpectAll(Op_descriptor(), ops_); }
TEST_F(Coverage, EveryType) { ExpectAll(ScalarType_descriptor(), types_); }
TEST_F(Coverage, EveryStatement) { ExpectAll(StmtKind_descriptor(), stmts_); }
TEST_F(Coverage, EveryLoopKind) { ExpectAll(LoopKind_descriptor(), loops_); }
TEST_F(Coverage, EveryIteratorKind) { ExpectAll(IterKind_descriptor(), iters_); }
TEST_F(Coverage, EveryAttrNode) { EXPECT_EQ(nodes_.size(), 4u); }

void CollectFields(const google::protobuf::Message& message, std::set<std::string>* seen) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  const auto* reflection = message.GetReflection();
  reflection->ListFields(message, &fields);
  for (const auto* field : fields) {
    seen->insert(field->full_name());
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      CollectFields(reflection->GetMessage(message, field), seen);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      CollectFields(reflection->GetRepeatedMessage(message, field, i), seen);
    }
  }
}

TEST_F(Coverage, EveryField) {
  std::set<std::string> seen;
  for (const samples::Sample& sample : samples::All()) CollectFields(sample.test_case, &seen);
  const auto* file = Case::descriptor()->file();
  for (int m = 0; m < file->message_type_count(); ++m) {
    for (int i = 0; i < file->message_type(m)->field_count(); ++i) {
      const std::string& name = file->message_type(m)->field(i)->full_name();
      EXPECT_TRUE(seen.contains(name)) << name << " is set in no sample";
    }
  }
}

}  // namespace
}  // namespace irate
