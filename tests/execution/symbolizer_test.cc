#include "execution/symbolizer.h"

#include <dlfcn.h>

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;

TEST(CollapseParametersTest, KeepsTheNameOnly) {
  EXPECT_EQ(CollapseParameters("tvm::tirx::Foo::VisitStmt_(tvm::tirx::ForNode const*)"),
            "tvm::tirx::Foo::VisitStmt_(...)");
  EXPECT_EQ(CollapseParameters("f()"), "f(...)");
  EXPECT_EQ(CollapseParameters("int f<A>(int, B<int (*)(char)>) const"), "int f<A>(...) const");
  EXPECT_EQ(CollapseParameters("plain_c_name"), "plain_c_name");
}

TEST(CollapseParametersTest, ParenthesesThatBelongToTheName) {
  EXPECT_EQ(CollapseParameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f(...)");
  EXPECT_EQ(CollapseParameters("F::operator()(int) const"), "F::operator()(...) const");
  EXPECT_EQ(CollapseParameters("a::f(int)::{lambda(char)#1}::operator()(char) const"),
            "a::f(...)::{lambda(...)#1}::operator()(...) const");
}

TEST(CollapseParametersTest, UnbalancedInputEnds) {
  EXPECT_EQ(CollapseParameters("f(int"), "f(...)");
  EXPECT_EQ(CollapseParameters(""), "");
}

TEST(SymbolizeTest, ExportedFunctionOfALibrary) {
  void* function = dlsym(RTLD_DEFAULT, "strtol");
  ASSERT_NE(function, nullptr);
  const uint64_t addresses[] = {reinterpret_cast<uint64_t>(function) + 1};
  // Several names share the address; all are the function's.
  EXPECT_THAT(Symbolize(addresses), ElementsAre(MatchesRegex("(__)?(strtol|strtoll|strtoimax|"
                                                             "strtoq)(_internal)?")));
}

// An address in the caller. Not from backtrace(), whose first frame is the sanitizer's where there
// is one.
[[gnu::noinline]] uint64_t ReturnAddress() {
  return reinterpret_cast<uint64_t>(__builtin_return_address(0));
}

TEST(SymbolizeTest, TwoPlacesInOneFunctionAreOneFrame) {
  // This function is not exported: its frame is the start of the function.
  const uint64_t here = ReturnAddress();
  const uint64_t first[] = {here};
  const uint64_t second[] = {here - 1};
  ASSERT_THAT(Symbolize(first), ElementsAre(MatchesRegex("symbolizer_test\\+0x[0-9a-f]+")));
  EXPECT_EQ(Symbolize(first), Symbolize(second));
}

TEST(SymbolizeTest, NoObjectThere) {
  const uint64_t addresses[] = {16};
  EXPECT_THAT(Symbolize(addresses), ElementsAre("<generated code>"));
}

}  // namespace
}  // namespace irate
