#include "execution/symbolizer.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstdlib>
#include <iterator>

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

TEST(SymbolizeTest, TwoPlacesInOneFunctionAreOneFrame) {
  void* stack[8];
  const int depth = backtrace(stack, static_cast<int>(std::size(stack)));
  ASSERT_GT(depth, 0);
  // This function is not exported: its frame is the start of the function.
  const auto here = reinterpret_cast<uint64_t>(stack[0]);
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
