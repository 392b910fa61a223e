// What nearly every source of execution/sanitized includes; see irate_use_pch.
#pragma once

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "cmake/precompiled.h"
