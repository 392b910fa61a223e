#include "execution/contract/packed_abi.h"

namespace irate::contract {

const char* TypeIndexName(int32_t type_index) {
  switch (type_index) {
    case kNone:
      return "None";
    case kInt:
      return "int";
    case kBool:
      return "bool";
    case kFloat:
      return "float";
    case kOpaquePointer:
      return "void*";
    case kTensorPointer:
      return "DLTensor*";
    case kRawString:
      return "const char*";
    case kStringObject:
      return "String object";
    case kFunctionObject:
      return "Function object";
    case kTensorObject:
      return "Tensor object";
    default:
      return type_index >= kStaticObjectBegin ? "object" : "another type";
  }
}

}  // namespace irate::contract
