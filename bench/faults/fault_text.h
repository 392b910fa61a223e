// The built-in faults: the text of bench/faults/*.fault.
#pragma once

#include <string>

namespace irate {

// In the form that rewrite::ParseRules takes.
const std::string& BuiltinFaultText();

}  // namespace irate
