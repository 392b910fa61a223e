// TVMScript as TVM prints it, made into TVMScript that TVM parses.
#pragma once

#include <string>
#include <string_view>

namespace irate {

// TVM 0.27 prints a buffer parameter with a symbolic extent as `A: T.Buffer(("n", n), "int32")`,
// which its parser refuses. Such parameters become handles that are matched in the body, after the
// definitions of the extents:
//
//   def main(A_handle: T.handle):
//       n = T.int32()
//       A = T.match_buffer(A_handle, (n, n), "int32")
std::string MatchSymbolicBuffers(std::string_view script);

}  // namespace irate
