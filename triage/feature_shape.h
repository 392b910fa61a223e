// What is left in a reduced program, as part of a signature: two causes in one pass usually leave
// different operators.
#pragma once

#include <string>

#include "ir/irate.pb.h"

namespace irate {

// The sorted names of what the program uses beyond what nearly every program has (constants,
// variables, loads, stores, serial loops), joined with '.': "floordiv.select", "if.vectorized".
// Of three kinds of names only the first that is not empty is listed:
//  1. statements, loops, calls and operators, these with the class of their type where it has rules
//     of its own (unsigned: "floordiv_u", 16-bit floats: "min_half", 8-bit floats: "select_fp8");
//  2. casts, and addition, subtraction and multiplication in types other than i32 and f32, with
//     their type: "add_f8e4m3fn", "cast_u8";
//  3. addition, subtraction and multiplication.
// Empty if nothing is left.
std::string FeatureShape(const Module& module);

}  // namespace irate
