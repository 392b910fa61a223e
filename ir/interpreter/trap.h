// Why the interpreter stops before the end of a program.
#pragma once

#include <cstdint>
#include <string_view>

namespace irate::interp {

enum class Trap : uint8_t {
  kNone,
  // Undefined behaviour. The reason that is reported may say more.
  kOverflow,
  kDivisionByZero,
  kDivisionOverflow,
  kShiftRange,
  kCastRange,
  kOutOfBounds,
  kUninitialised,
  kPoisonUse,
  kFragileUse,
  kLooseUse,
  kRace,
  kThreadRace,
  kBarrierDivergence,
  kLaunch,
  kAssertion,
  kInvalidArgument,
  kInvalidPointer,
  kNegativeExtent,
  kStep,
  kReturnCode,
  kMisaligned,
  // Limits.
  kFuel,
  kMemory,
  // No meaning here.
  kUnsupported,
  // No end: a thread waits for others.
  kYield,
};

constexpr std::string_view TrapText(Trap trap) {
  switch (trap) {
    case Trap::kNone:
      return "";
    case Trap::kOverflow:
      return "signed overflow";
    case Trap::kDivisionByZero:
      return "division by zero";
    case Trap::kDivisionOverflow:
      return "division of the smallest integer by -1";
    case Trap::kShiftRange:
      return "shift amount out of range";
    case Trap::kCastRange:
      return "a float out of the range of the integer type it is cast to";
    case Trap::kOutOfBounds:
      return "out of bounds";
    case Trap::kUninitialised:
      return "read of memory that was never written";
    case Trap::kPoisonUse:
      return "an uninitialised value decides over an address, a branch or an output";
    case Trap::kFragileUse:
      return "an address, a divisor, a branch or a loop bound depends on an integer whose "
             "magnitude leaves its type";
    case Trap::kLooseUse:
      return "an address, a divisor or a loop bound depends on a float decision within its bound "
             "of a tie";
    case Trap::kRace:
      return "conflict between loop iterations";
    case Trap::kThreadRace:
      return "data race between threads";
    case Trap::kBarrierDivergence:
      return "barrier divergence";
    case Trap::kLaunch:
      return "two extents of one thread index";
    case Trap::kAssertion:
      return "assertion failed";
    case Trap::kInvalidArgument:
      return "an operand outside of the operation's domain";
    case Trap::kInvalidPointer:
      return "use of something that is no valid pointer";
    case Trap::kNegativeExtent:
      return "negative extent of a buffer";
    case Trap::kStep:
      return "a loop whose step is not positive";
    case Trap::kReturnCode:
      return "the function returned an error";
    case Trap::kMisaligned:
      return "misaligned access";
    case Trap::kFuel:
      return "out of fuel";
    case Trap::kMemory:
      return "out of memory: the limit on live bytes";
    case Trap::kUnsupported:
      return "unsupported";
    case Trap::kYield:
      return "waiting";
  }
  return "";
}

}  // namespace irate::interp
