#include "fuzzers/case_codec.h"

#include <string>

#include "generators/choice.h"
#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Case> Decode(const std::string& bytes) {
  return DecodeCase({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

TEST(CaseCodecTest, BothFormsGiveTheCaseBack) {
  for (uint64_t i = 0; i < 50; ++i) {
    const Case test_case = GenerateCase(CaseSeed(61, i));
    const absl::StatusOr<Case> binary = Decode(EncodeCase(test_case));
    ASSERT_TRUE(binary.ok()) << binary.status();
    EXPECT_EQ(EncodeCase(*binary), EncodeCase(test_case));
    const absl::StatusOr<Case> text = Decode("# a comment\n" + PrintCase(test_case));
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_EQ(EncodeCase(*text), EncodeCase(test_case));
  }
}

TEST(CaseCodecTest, WhatIsNoCaseIsRejectedWithTheReason) {
  EXPECT_THAT(std::string(Decode("").status().message()), HasSubstr("empty"));
  EXPECT_THAT(std::string(Decode("\n").status().message()), HasSubstr("no Case"));
  EXPECT_THAT(std::string(Decode("irate 1\nfunc").status().message()), HasSubstr("line"));
  EXPECT_THAT(std::string(Decode(std::string(kMaxInputBytes + 1, 'x')).status().message()),
              HasSubstr("more than"));
  // A message, but of no valid Case.
  EXPECT_FALSE(Decode(std::string("\x08\x01", 2)).ok());
}

TEST(CaseCodecTest, DeepInputIsRejectedAtOnce) {
  Case test_case = GenerateCase(CaseSeed(61, 0));
  Expr deep;
  deep.set_op(CONST);
  deep.set_type(BOOL);
  for (int i = 0; i < 20'000; ++i) {
    Expr outer;
    outer.set_op(NOT);
    outer.set_type(BOOL);
    outer.add_args()->Swap(&deep);
    deep.Swap(&outer);
  }
  Stmt* stmt = test_case.mutable_module()->mutable_functions(0)->add_body();
  stmt->set_kind(IF);
  stmt->add_args()->Swap(&deep);
  EXPECT_FALSE(Decode(test_case.SerializeAsString()).ok());
  EXPECT_FALSE(Decode("irate 1\nfunc @main() { if " + std::string(100'000, '(')).ok());
}

// Whatever libFuzzer's own mutations or a damaged disk make of a Case.
TEST(CaseCodecTest, DamagedBytesAreRejectedOrAValidCase) {
  int accepted = 0;
  for (uint64_t i = 0; i < 2'000; ++i) {
    const Case test_case = GenerateCase(CaseSeed(62, i % 20));
    std::string bytes = i % 2 == 0 ? EncodeCase(test_case) : PrintCase(test_case);
    ChoiceSource choices(i);
    for (int64_t k = choices.Range(1, 4); k > 0; --k) {
      const auto at = static_cast<size_t>(choices.Range(0, static_cast<int64_t>(bytes.size()) - 1));
      bytes[at] = static_cast<char>(choices.Range(0, 255));
    }
    const absl::StatusOr<Case> decoded = Decode(bytes);
    if (!decoded.ok()) continue;
    ++accepted;
    EXPECT_TRUE(VerifyCase(*decoded).ok());
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace irate
