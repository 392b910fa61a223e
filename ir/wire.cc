#include "ir/wire.h"

#include <limits>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/logging.h"
#include "ir/verify.h"

namespace irate {
namespace {

// Case, Module, Function, and the envelopes of execution/protocol.proto around them.
constexpr int kEnvelopeDepth = 16;

}  // namespace

bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return false;
  // Protobuf would write complaints about the bytes to stderr.
  const google::protobuf::LogSilencer silence;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxDepth + kEnvelopeDepth);
  return message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

}  // namespace irate
