// Messages from bytes that may come from an attacker.
//
// Protobuf refuses messages nested more than 100 deep; a valid module may be nested kMaxDepth deep
// (ir/verify.h), and one of a worker's replies a little more. Whoever parses Cases, modules or
// messages that hold them does it here.
#pragma once

#include <string_view>

#include "google/protobuf/message_lite.h"

namespace irate {

// False if `bytes` are no such message or are nested too deep; `message` is then unspecified.
[[nodiscard]] bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message);

}  // namespace irate
