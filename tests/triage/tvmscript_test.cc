#include "triage/tvmscript.h"

#include <gtest/gtest.h>

namespace irate {
namespace {

TEST(MatchSymbolicBuffers, ConstantShapesStay) {
  const std::string script =
      "class Module:\n"
      "    @T.prim_func(s_tir=True)\n"
      "    def main(A: T.Buffer((16, 8), \"float32\"), n: T.int32):\n"
      "        A[0, 0] = T.float32(0.0)\n";
  EXPECT_EQ(MatchSymbolicBuffers(script), script);
}

TEST(MatchSymbolicBuffers, SymbolicShapesAreMatchedAfterTheirDefinitions) {
  EXPECT_EQ(
      MatchSymbolicBuffers(
          "    def main(A: T.Buffer((\"n\", n, \"m\"), \"int64\"), s: T.int32, B: T.Buffer((2, m), "
          "\"float32\", strides=(1, 2))):\n"
          "        T.func_attr({\"tirx.noalias\": True})\n"
          "        n, m = T.int32(), T.int32()\n"
          "        k = T.int64()\n"
          "        for i in range(n):\n"
          "            A[i, 0, 0] = T.int64(0)\n"),
      "    def main(A_handle: T.handle, s: T.int32, B_handle: T.handle):\n"
      "        T.func_attr({\"tirx.noalias\": True})\n"
      "        n, m = T.int32(), T.int32()\n"
      "        k = T.int64()\n"
      "        A = T.match_buffer(A_handle, (n, n, m), \"int64\")\n"
      "        B = T.match_buffer(B_handle, (2, m), \"float32\", strides=(1, 2))\n"
      "        for i in range(n):\n"
      "            A[i, 0, 0] = T.int64(0)\n");
}

TEST(MatchSymbolicBuffers, HeadsThatAreCutOffStay) {
  EXPECT_EQ(MatchSymbolicBuffers("def main(A: T.Buffer((\"n\""), "def main(A: T.Buffer((\"n\"");
}

}  // namespace
}  // namespace irate
