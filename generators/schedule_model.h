// What a generator of schedules has to know about a program: its blocks, the loops around them, the
// buffers between them. It is read from the Case's IR and kept up to date, roughly, as steps are
// drawn; a compiler that refuses a step makes it wrong, which costs further refusals and nothing
// else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

struct ModelLoop {
  int64_t extent = -1;     // -1: not constant
  bool reduction = false;  // a reduction iterator is computed from it
  bool mixed = false;      // and a spatial one too
  bool serial = true;
  bool starts_at_zero = true;
};

struct ModelBuffer {
  std::string name;
  ScalarType type = VOID;
  std::vector<int64_t> shape;  // -1: not constant
  bool local = false;          // allocated by a block
};

struct ModelBlock {
  std::string name;
  std::vector<int> loops;  // into ScheduleModel::loops, outermost first
  std::vector<bool> reduction_iters;
  std::vector<int64_t> domains;  // of the iterators; -1: not constant
  std::vector<int> reads;        // into ScheduleModel::buffers, in order of their first use
  std::vector<int> writes;
  bool has_init = false;
  bool has_predicate = false;
  // Every instance stores the elements at its own iterators, whatever the data: what it writes is
  // what its write region says, and may be cached, moved or computed anew.
  bool exact = false;
  // Nothing but one such store.
  bool single_store = false;
  // And that one's value depends on where it is: a padded copy, perhaps.
  bool pads = false;
  bool adds = false;  // that one's value is a sum
  // One data-parallel iterator for every dimension of what it writes, in order.
  bool elementwise = false;
  // An index is more than an iterator or a constant.
  bool index_expressions = false;
  bool HasReduction() const;
};

struct ScheduleModel {
  std::vector<ModelLoop> loops;
  std::vector<ModelBuffer> buffers;
  std::vector<ModelBlock> blocks;  // in order of the program
};

// Of a function whose statements all lie in blocks with iterators, below loops and blocks only;
// nullopt for any other.
std::optional<ScheduleModel> ModelOf(const Function& function);

}  // namespace irate
