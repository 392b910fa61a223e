// Instructions of a module by number, so that a place in compiled code can be told in words.
//
// The number of an instruction is its position in the module as parsed, counted from 1 over all
// functions. Prepare (prepare.h) attaches it as the line of the instruction's debug location; it
// comes back from the line table of the compiled object. Words are made only when a report needs
// them, from the text parsed once more: a run without reports pays nothing. Internal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class Instruction;
class Module;
}  // namespace llvm

namespace irate::sanitized {

struct Site {
  std::string function;
  std::string block;
  std::string statement;  // "store float to C[i]"
  std::string value;      // the name of the instruction's result: "B"
  std::string source;     // "file:line"; "" where the module's debug info has none
};

class SiteDescriber {
 public:
  explicit SiteDescriber(std::string ir_text);
  ~SiteDescriber();
  // An empty Site for a number that is none.
  Site Describe(uint32_t number);

 private:
  struct Parsed;
  std::string ir_text_;
  std::unique_ptr<Parsed> parsed_;
};

// An instruction in terms of named values: "load float from A[cse_v1 + k]".
std::string DescribeInstruction(const llvm::Instruction& instruction);

}  // namespace irate::sanitized
