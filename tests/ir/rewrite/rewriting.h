// A rule on a program, both as text.
#pragma once

#include <string>

#include "gtest/gtest.h"
#include "ir/rewrite/apply.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate::rewrite {

inline Rule MustParseRule(const std::string& text) {
  const absl::StatusOr<std::vector<Rule>> rules = ParseRules(text);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return rules.ok() && !rules->empty() ? rules->front() : Rule();
}

// The clauses of a fault after pass "p".
inline Applied ApplyClauses(const std::string& clauses, const std::string& module) {
  const absl::StatusOr<Module> parsed = ParseModule(module);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(Verify(*parsed, {.lifted = true}).ok()) << Verify(*parsed, {.lifted = true});
  return Apply(MustParseRule("fault \"f\" { pass p " + clauses + " }"), *parsed, "a.b.p", 3);
}

// A function with i32 loops i, j, n and buffers A, B (f32), C (i32), D (i64) around `body`.
inline std::string Program(const std::string& body) {
  return "func @main(buffer A, buffer B, buffer C, buffer D) {\n"
         "  var i, j, k: i32\n"
         "  var x, y: f32\n"
         "  buffer A: f32[16]\n"
         "  buffer B: f32[16, 16]\n"
         "  buffer C: i32[16]\n"
         "  buffer D: i64[16]\n"
         "  buffer L: f32[16] scope \"local\"\n"
         "  buffer M: f32[8] scope \"local\"\n" +
         body + "}\n";
}

// What the rule makes of the body; "" where it does not trigger.
inline std::string Rewritten(const std::string& clauses, const std::string& body) {
  const Applied applied = ApplyClauses(clauses, Program(body));
  EXPECT_EQ(applied.problem, "");
  if (!applied.triggered) return "";
  if (!applied.changed) return "unchanged";
  std::string text;
  for (const Stmt& stmt : applied.module.functions(0).body()) {
    text += PrintStmt(applied.module.functions(0), stmt);
  }
  return text;
}

}  // namespace irate::rewrite
