// Text of unknown origin made fit for a protobuf string field.
#pragma once

#include <string>
#include <string_view>

namespace irate {

// Every byte that is neither printable ASCII nor a newline or tab becomes '?'.
std::string Printable(std::string_view text);

}  // namespace irate
