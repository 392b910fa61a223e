// What is left in a reduced program, as part of a signature: two causes in one pass usually leave
// different operators.
#pragma once

#include <string>

#include "ir/irate.pb.h"

namespace irate {

// The sorted names of what the program uses beyond what nearly every program has (constants,
// variables, loads, stores, serial loops), joined with '.': "floordiv.select", "if.vectorized".
// Operators carry their type where it is neither i32, f32 nor bool: "mul_u8". Addition, subtraction
// and multiplication count only where nothing else is left. Empty if nothing is.
std::string FeatureShape(const Module& module);

}  // namespace irate
