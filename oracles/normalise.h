// Taking out of messages and stack frames what differs between two sightings of one cause: numbers,
// addresses, names of the program under test, template arguments.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// The names of functions, variables and buffers of a program: no part of a cause.
std::set<std::string> ProgramNames(const Module& module);

// The first line of a message that says something, shortened to the failed condition where the
// message is that of a failed check, with numbers as "N", addresses as "ADDR" and program names
// (also with a number that the compiler appended) as "V". At most 100 characters.
std::string NormaliseMessage(std::string_view message, const std::set<std::string>& program_names);

// The rule that was broken, without the place: "out of bounds: index 17 of C" is "out of bounds".
std::string NormaliseReason(std::string_view reason);

// "tvm::arith::Foo<int>::Bar(tvm::Any const&) [clone .cold]" is "tvm::arith::Foo::Bar"; a frame
// without a name, "libfoo.so+0x8e1c0", is "libfoo.so".
std::string NormaliseFrame(std::string_view frame);

// The innermost `count` frames, normalised, from innermost to outermost, joined with '.'; frames
// that only raise or handle the signal (abort, raise, operator new, ...) are left out. Empty if
// there are none.
std::string TopFrames(const google::protobuf::RepeatedPtrField<std::string>& frames, int count);

// "SIGSEGV"; "signal-33" for those without a name.
std::string SignalName(int signal);

}  // namespace irate
