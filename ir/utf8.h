// Text in messages is UTF-8, as protobuf asks of string fields.
#pragma once

#include <string_view>

namespace irate {

// By Unicode's definition: no overlong forms, no surrogates, nothing above U+10FFFF.
bool IsValidUtf8(std::string_view text);

}  // namespace irate
