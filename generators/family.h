// A family: a generator that is a function of a Context, registered in generators/registry.cc.
#pragma once

#include <array>

#include "generators/context.h"
#include "generators/features.h"
#include "ir/irate.pb.h"

namespace irate {

struct FamilyEntry {
  Feature feature;
  Case (*generate)(Context& context);
  // Without these it has nothing to say: they are on in its Cases, and the family is off where the
  // user switched one of them off.
  std::array<Feature, 4> needs = {};
  size_t need_count = 0;
};

// One a file. The description is the feature's.
Case GenerateElementwiseCase(Context& context);
Case GenerateReductionCase(Context& context);
Case GenerateStencilCase(Context& context);
Case GenerateMatmulCase(Context& context);
Case GenerateTransposeCase(Context& context);
Case GenerateReshapeCase(Context& context);
Case GenerateGuardsCase(Context& context);
Case GenerateLocalsCase(Context& context);
Case GenerateScanCase(Context& context);
Case GenerateGatherCase(Context& context);
Case GenerateArgReduceCase(Context& context);
Case GenerateConcatCase(Context& context);
Case GenerateWhileCase(Context& context);
Case GenerateVectorsCase(Context& context);
Case GenerateCallsCase(Context& context);
Case GenerateViewsCase(Context& context);
Case GenerateCastsCase(Context& context);
Case GenerateMathCase(Context& context);
Case GenerateExternalCase(Context& context);
Case GenerateDeviceCase(Context& context);

}  // namespace irate
