#include "execution/contract/report.h"

namespace irate::contract {

std::string_view ClauseName(Clause clause) {
  switch (clause) {
    case Clause::kWorkspaceAlignment:
      return "workspace-alignment";
    case Clause::kWorkspaceSize:
      return "workspace-size";
    case Clause::kWorkspaceDevice:
      return "workspace-device";
    case Clause::kWorkspaceElementType:
      return "workspace-element-type";
    case Clause::kWorkspaceUnknownFree:
      return "workspace-unknown-free";
    case Clause::kWorkspaceDoubleFree:
      return "workspace-double-free";
    case Clause::kWorkspaceOrder:
      return "workspace-order";
    case Clause::kWorkspaceTask:
      return "workspace-task";
    case Clause::kWorkspaceLeak:
      return "workspace-leak";
    case Clause::kRedZone:
      return "red-zone";
    case Clause::kLaunchArguments:
      return "launch-arguments";
    case Clause::kLaunchNested:
      return "launch-nested";
    case Clause::kLaunchTaskCount:
      return "launch-task-count";
    case Clause::kLaunchEnvironment:
      return "launch-environment";
    case Clause::kBarrierOutside:
      return "barrier-outside";
    case Clause::kBarrierArguments:
      return "barrier-arguments";
    case Clause::kBarrierDivergence:
      return "barrier-divergence";
    case Clause::kRace:
      return "race";
    case Clause::kErrorMissing:
      return "error-missing";
    case Clause::kErrorIgnored:
      return "error-ignored";
    case Clause::kErrorArguments:
      return "error-arguments";
    case Clause::kPackedUnknownFunction:
      return "packed-unknown-function";
    case Clause::kPackedHandle:
      return "packed-handle";
    case Clause::kPackedCallingConvention:
      return "packed-calling-convention";
    case Clause::kPackedArgumentCount:
      return "packed-argument-count";
    case Clause::kPackedArgumentType:
      return "packed-argument-type";
    case Clause::kPackedArgumentMemory:
      return "packed-argument-memory";
    case Clause::kPackedResultSlot:
      return "packed-result-slot";
    case Clause::kLibraryContext:
      return "library-context";
  }
  return "unknown";
}

}  // namespace irate::contract
