// Limits, unknown fields, and what only lifted modules may do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/measure.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/wire.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

Module Nested(int statements, int operators) {
  namespace b = build;
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  Expr value = b::I32Const(1);
  for (int i = 0; i < operators; ++i) value = b::Unary(BIT_NOT, std::move(value));
  Stmt stmt = b::Evaluate(std::move(value));
  for (int i = 0; i < statements; ++i) {
    Stmt outer = b::If(b::BoolConst(true), {});
    outer.add_body()->Swap(&stmt);
    stmt.Swap(&outer);
  }
  f->add_body()->Swap(&stmt);
  return module;
}

TEST(Limits, DepthCountsStatementsAndExpressions) {
  EXPECT_EQ(MeasureModule(Nested(0, 0)).depth, 2);
  EXPECT_EQ(MeasureModule(Nested(10, 20)).depth, 32);
  EXPECT_TRUE(Verify(Nested(0, kMaxDepth - 2)).ok());
  EXPECT_TRUE(Verify(Nested(kMaxDepth - 2, 0)).ok());
  EXPECT_TRUE(Verify(Nested(100, kMaxDepth - 102)).ok());
  const absl::Status status = Verify(Nested(100, kMaxDepth - 101));
  EXPECT_THAT(std::string(status.message()), HasSubstr("nested 201 deep, at most 200 is allowed"));
}

TEST(Limits, DepthOfBlocksCountsTheirParts) {
  const samples::Sample sample = samples::All()[2];
  ASSERT_EQ(sample.name, "blocks");
  // block, for, for, for, block, Block, init's store, its value.
  EXPECT_GE(MeasureModule(sample.test_case.module()).depth, 8);
}

TEST(Limits, DeepMessagesAreRefusedBeforeAnythingRecursive) {
  EXPECT_FALSE(Verify(Nested(0, 5'000)).ok());
  EXPECT_FALSE(Verify(Nested(5'000, 0)).ok());
}

TEST(Limits, Nodes) {
  Module module = Nested(0, 0);
  Function* f = module.mutable_functions(0);
  const Stmt stmt = f->body(0);
  for (int i = 0; i < kMaxNodes / 2; ++i) *f->add_body() = stmt;
  const absl::Status status = Verify(module);
  EXPECT_THAT(std::string(status.message()), HasSubstr("200003 nodes, at most 200000 are allowed"));
}

TEST(Wire, AsDeepAsTheVerifierAllowsAndNoDeeper) {
  Module parsed;
  EXPECT_TRUE(ParseMessage(Nested(0, kMaxDepth - 2).SerializeAsString(), &parsed));
  EXPECT_TRUE(Verify(parsed).ok());
  EXPECT_FALSE(ParseMessage(Nested(0, 5'000).SerializeAsString(), &parsed));
}

TEST(Wire, RefusesTruncationAndTrailingBytes) {
  const std::string bytes = Nested(3, 3).SerializeAsString();
  Module parsed;
  EXPECT_TRUE(ParseMessage(bytes, &parsed));
  EXPECT_FALSE(ParseMessage(std::string_view(bytes).substr(0, bytes.size() - 1), &parsed));
  EXPECT_FALSE(ParseMessage(bytes + '\0', &parsed));
}

TEST(UnknownFields, AreRefusedEverywhere) {
  // Field 999, a varint, appended to each message in turn.
  const std::string extra = {'\xb8', '\x3e', '\x01'};
  int refused = 0;
  for (const samples::Sample& sample : samples::All()) {
    if (sample.lifted) continue;
    std::vector<google::protobuf::Message*> pending;
    Case test_case = sample.test_case;
    pending.push_back(&test_case);
    while (!pending.empty()) {
      google::protobuf::Message* message = pending.back();
      pending.pop_back();
      const auto* reflection = message->GetReflection();
      reflection->MutableUnknownFields(message)->AddVarint(999, 1);
      EXPECT_FALSE(VerifyCase(test_case).ok()) << message->GetDescriptor()->full_name();
      ++refused;
      reflection->MutableUnknownFields(message)->Clear();
      std::vector<const google::protobuf::FieldDescriptor*> fields;
      reflection->ListFields(*message, &fields);
      for (const auto* field : fields) {
        if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
        if (!field->is_repeated()) {
          pending.push_back(reflection->MutableMessage(message, field));
          continue;
        }
        for (int i = 0; i < reflection->FieldSize(*message, field); ++i) {
          pending.push_back(reflection->MutableRepeatedMessage(message, field, i));
        }
      }
    }
    EXPECT_TRUE(VerifyCase(test_case).ok());
  }
  EXPECT_GT(refused, 500);
  Case parsed;
  EXPECT_TRUE(ParseMessage(samples::All()[0].test_case.SerializeAsString() + extra, &parsed));
  EXPECT_FALSE(VerifyCase(parsed).ok());
}

struct LiftedOnly {
  const char* text;
  const char* error;  // as a source program
};

TEST(Lifted, MayDoWhatSourceProgramsMayNot) {
  const LiftedOnly kPrograms[] = {
      {"func @f() { var i: i32 for i in 0..2 { } for i in 0..2 { } }", "second definition"},
      {"func @f() { buffer T: f32[2] if true { alloc T } alloc T }", "second declaration"},
      {"func @f() { eval call \"odd\"<i32>(1) }", "unknown intrinsic"},
      {"func @f() { eval exp(1) }", "one float type"},
      {"func @f(scalar h) { var h: handle }", "of the entry is a handle"},
      {"func @f() { eval true & false }", "BIT_AND of bool"},
      {"func @f(scalar h) { var h: handle eval h == h }", "handle"},
      {"func @f() { var i: i32 for i in 0..2 unrolled { break } }", "BREAK in a UNROLLED loop"},
      {"func @f() { var i: i32 for i in 0..2 bind \"cta.x\" { } }", "the thread tag cta.x"},
      {"func @f() { buffer T: f32[2] attr \"a\" on buffer T = 1 { alloc T } }", "not in scope"},
      {"func @f() { buffer T: f32[clz(1)] alloc T }", "CALL in the declaration"},
      {"func @f(buffer T) { var n: i32 buffer T: f32[n + 1] }", "never stands alone"},
      {"func @f() { block \"\" { } }", "the name is empty"},
      {"private func @f() { }", "the entry is private"},
  };
  for (const LiftedOnly& program : kPrograms) {
    const absl::StatusOr<Module> module = ParseModule(program.text);
    ASSERT_TRUE(module.ok()) << module.status() << program.text;
    EXPECT_THAT(std::string(Verify(*module).message()), HasSubstr(program.error)) << program.text;
    const absl::Status status = Verify(*module, {.lifted = true});
    EXPECT_TRUE(status.ok()) << status << program.text;
  }
}

TEST(Lifted, StillHasRules) {
  const LiftedOnly kPrograms[] = {
      {"func @f() { var i: i32 for i in 0..2 { for i in 0..2 { } } }", "already in scope"},
      {"func @f() { var i: i32 eval i }", "not in scope"},
      {"func @f() { eval exp(1.0, 2.0) }", "exp takes 1 arguments"},
      {"func @f() { eval 1 + 1.0 }", "ADD of i32 and f32"},
      {"func @f() { break }", "BREAK outside a loop"},
      {"func @f() { eval @g() } func @g() { eval @h() } func @h() { eval @g() }",
       "a cycle of calls"},
  };
  for (const LiftedOnly& program : kPrograms) {
    const absl::StatusOr<Module> module = ParseModule(program.text);
    ASSERT_TRUE(module.ok()) << module.status() << program.text;
    const absl::Status status = Verify(*module, {.lifted = true});
    EXPECT_THAT(std::string(status.message()), HasSubstr(program.error)) << program.text;
  }
}

}  // namespace
}  // namespace irate
