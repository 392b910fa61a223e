// Where randomness comes from: a stream of choices that is either drawn from a seed or read from
// bytes that libFuzzer mutates. Generators ask nothing else, so a seed or an input file is a Case.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace irate {

class ChoiceSource {
 public:
  // An endless stream, equal on every machine (SplitMix64).
  explicit ChoiceSource(uint64_t seed);
  // The bytes first, then zeros: every prefix decodes to some Case.
  explicit ChoiceSource(std::span<const uint8_t> bytes);

  // Uniform in [low, high], both included; low where the bytes have run out.
  int64_t Range(int64_t low, int64_t high);
  bool Chance(int numerator, int denominator);
  // Index into `weights`; entries of weight 0 are never chosen. At least one must be positive.
  size_t Weighted(std::span<const int> weights);
  // How many draws so far, and whether the bytes have run out.
  uint64_t draws() const { return draws_; }
  bool exhausted() const { return exhausted_; }

 private:
  uint64_t Next(uint64_t bound);
  uint64_t state_ = 0;
  std::span<const uint8_t> bytes_;
  bool from_bytes_ = false;
  bool exhausted_ = false;
  uint64_t draws_ = 0;
};

}  // namespace irate
