// The end of a Python reproducer for emitted device code that does not compile.
#pragma once

#include <string>
#include <string_view>

namespace irate {

// `actions` build `lib`, TVM's module with the device's module as its first import; `message` is
// what the compiler says of the source. Exits with 1 if it says so still, 2 without a clang.
std::string SourceCheckInPython(std::string_view actions, std::string_view message);

}  // namespace irate
