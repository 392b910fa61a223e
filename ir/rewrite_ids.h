// Changes of the ids in messages: for renumbering tables and for moving code between functions.
#pragma once

#include <cstdint>
#include <functional>

#include "ir/irate.pb.h"

namespace irate {

// From an old id to the new one.
struct IdMap {
  std::function<uint32_t(uint32_t)> variable;
  std::function<uint32_t(uint32_t)> buffer;
};

// Every id in the message, uses and definitions, each once and in the order of the program's text.
// Declarations in the function's tables are not touched. Recursive, for messages of bounded depth.
void RewriteIds(Expr* expr, const IdMap& map);
void RewriteIds(Stmt* stmt, const IdMap& map);
void RewriteIds(Buffer* buffer, const IdMap& map);

}  // namespace irate
