// How the oracles are made; only registry.cc and tests of single oracles need it.
#pragma once

#include <memory>

#include "oracles/oracle.h"

namespace irate {

std::unique_ptr<Oracle> MakeNondeterminismOracle();
std::unique_ptr<Oracle> MakeInputMutatedOracle();
std::unique_ptr<Oracle> MakeMemoryGrowthOracle();
std::unique_ptr<Oracle> MakeIllFormedOracle();
std::unique_ptr<Oracle> MakeVariantsOracle();
std::unique_ptr<Oracle> MakeCompilerCrashOracle();
std::unique_ptr<Oracle> MakeHangOracle();
std::unique_ptr<Oracle> MakeOutOfMemoryOracle();
std::unique_ptr<Oracle> MakeInternalErrorOracle();
std::unique_ptr<Oracle> MakePassMismatchOracle();
std::unique_ptr<Oracle> MakeBrokenPromiseOracle();
std::unique_ptr<Oracle> MakeGeneratedCodeCrashOracle();
std::unique_ptr<Oracle> MakeCodegenMismatchOracle();
std::unique_ptr<Oracle> MakeCallContractOracle();
std::unique_ptr<Oracle> MakeMemoryErrorOracle();
std::unique_ptr<Oracle> MakeValueErrorOracle();
std::unique_ptr<Oracle> MakeContractViolationOracle();
std::unique_ptr<Oracle> MakeAbiViolationOracle();
std::unique_ptr<Oracle> MakeWrongCallOracle();
std::unique_ptr<Oracle> MakeDeviceMemoryOracle();
std::unique_ptr<Oracle> MakeDeviceOrderOracle();
std::unique_ptr<Oracle> MakeDeviceSourceOracle();
std::unique_ptr<Oracle> MakeDeviceLaunchOracle();
std::unique_ptr<Oracle> MakeRejectedOracle();

}  // namespace irate
