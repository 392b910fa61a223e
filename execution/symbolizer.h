// Names for code addresses of this process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace irate {

// One frame per address, innermost first:
//   "tvm::tirx::Foo::VisitStmt_(...)"  where the dynamic symbol table has a name;
//   "libtvm_compiler.so+0x1234"        otherwise: the start of the function (from its unwind
//                                      information, else the address itself) relative to the
//                                      object, so that a frame is the same for every place in one
//                                      function, in every process, for one version of the library;
//   "<generated code>"                 where no loaded object is.
// Frames are cut where the worker's own request loop begins; leading frames that only raise the
// signal or report for a sanitizer are left out; of a function that calls itself one frame is kept.
std::vector<std::string> Symbolize(std::span<const uint64_t> addresses);

// "int f<A>(int, B<int (*)(char)>) const" is "int f<A>(...) const"; the names of lambdas,
// operator() and "(anonymous namespace)" keep their parentheses. Exposed for tests.
std::string CollapseParameters(std::string_view demangled);

}  // namespace irate
