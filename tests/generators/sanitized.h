// How much of a long loop over Cases is enough where the harness itself runs under sanitizers, a
// tenth as fast: what it looks for there are faults of the code, not of rare Cases.
#pragma once

#include <cstdint>

namespace irate {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#endif

constexpr uint64_t Reduced(uint64_t cases) { return kSanitized ? cases / 8 : cases; }

}  // namespace irate
