// Names of a function's variables and buffers as they stand in the text: each refers to exactly one
// entry of its table, whatever the names in the message are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::text {

// Spelled names by id. A name that several entries of a table share carries its id: "i#3".
class NameTable {
 public:
  explicit NameTable(const Function& function);

  // Of ids that the table does not have: "`missing`#7".
  std::string Variable(uint32_t id) const { return Name(variables_, id); }
  std::string Buffer(uint32_t id) const { return Name(buffers_, id); }

 private:
  static std::string Name(const std::vector<std::string>& names, uint32_t id);

  std::vector<std::string> variables_;
  std::vector<std::string> buffers_;
};

}  // namespace irate::text
