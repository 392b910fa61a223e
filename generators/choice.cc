#include "generators/choice.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace irate {
namespace {

uint64_t SplitMix64(uint64_t* state) {
  *state += 0x9E3779B97F4A7C15;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// The high half of a 64 x 64 bit product: maps a uniform word to [0, bound) without division.
uint64_t MultiplyHigh(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(a) * b) >> 64);
}

int BytesFor(uint64_t bound) {
  if (bound == 0) return 8;
  int bytes = 1;
  while (bytes < 8 && (bound - 1) >> (8 * bytes) != 0) ++bytes;
  return bytes;
}

}  // namespace

ChoiceSource::ChoiceSource(uint64_t seed) : state_(seed) {}

ChoiceSource::ChoiceSource(std::span<const uint8_t> bytes) : bytes_(bytes), from_bytes_(true) {}

// Uniform in [0, bound); bound 0 stands for 2^64. A bound of 1 takes nothing from the source.
uint64_t ChoiceSource::Next(uint64_t bound) {
  ++draws_;
  if (bound == 1) return 0;
  if (!from_bytes_) {
    const uint64_t word = SplitMix64(&state_);
    return bound == 0 ? word : MultiplyHigh(word, bound);
  }
  uint64_t value = 0;
  for (int i = 0; i < BytesFor(bound); ++i) {
    if (bytes_.empty()) {
      exhausted_ = true;
      break;
    }
    value |= static_cast<uint64_t>(bytes_.front()) << (8 * i);
    bytes_ = bytes_.subspan(1);
  }
  // After the end every draw is 0, also where a part of the bytes was there.
  if (exhausted_) return 0;
  return bound == 0 ? value : value % bound;
}

int64_t ChoiceSource::Range(int64_t low, int64_t high) {
  if (low > high) {
    std::fprintf(stderr, "irate: ChoiceSource::Range(%lld, %lld) is empty\n",
                 static_cast<long long>(low), static_cast<long long>(high));
    std::abort();
  }
  const uint64_t bound = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  return static_cast<int64_t>(static_cast<uint64_t>(low) + Next(bound));
}

bool ChoiceSource::Chance(int numerator, int denominator) {
  if (numerator <= 0) return false;
  if (numerator >= denominator) return true;
  // The low draws mean no, so that an exhausted source takes the plain road.
  return Next(static_cast<uint64_t>(denominator)) >= static_cast<uint64_t>(denominator - numerator);
}

size_t ChoiceSource::Weighted(std::span<const int> weights) {
  const int64_t total = std::accumulate(weights.begin(), weights.end(), int64_t{0});
  if (total <= 0) {
    std::fprintf(stderr, "irate: ChoiceSource::Weighted with no positive weight\n");
    std::abort();
  }
  int64_t draw = static_cast<int64_t>(Next(static_cast<uint64_t>(total)));
  for (size_t i = 0; i < weights.size(); ++i) {
    draw -= weights[i];
    if (draw < 0) return i;
  }
  return weights.size() - 1;
}

}  // namespace irate
