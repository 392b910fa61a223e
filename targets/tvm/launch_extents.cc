#include "targets/tvm/launch_extents.h"

#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "ir/visit.h"

namespace irate::tvm_target {
namespace {

// Extents by thread tag, or nothing where the program is in doubt.
std::optional<std::map<std::string, int64_t>> BoundExtents(const Module& program) {
  if (program.functions_size() != 1 || program.functions(0).body_size() != 1) return std::nullopt;
  std::map<std::string, int64_t> extents;
  bool clear = true;
  VisitStmts(program.functions(0), [&](const Stmt& stmt) {
    if (!stmt.attr_node().thread_tag().empty()) clear = false;
    if (stmt.kind() != FOR || stmt.loop_kind() != THREAD_BINDING) return;
    const Expr& extent = stmt.args(1);
    // Virtual threads are no launch parameters.
    const bool known = !stmt.thread_tag().starts_with("vthread");
    const bool is_new = extents.emplace(stmt.thread_tag(), extent.int_value()).second;
    clear &= known && is_new && extent.op() == CONST && stmt.args_size() == 2;
  });
  if (!clear || extents.empty()) return std::nullopt;
  return extents;
}

}  // namespace

std::vector<std::string> CheckExtents(const Module& program,
                                      const std::vector<DeviceLaunch>& launches) {
  const auto extents = BoundExtents(program);
  if (!extents.has_value() || launches.size() != 1) return {};
  const DeviceLaunch& launch = launches[0];
  std::vector<std::string> wrong;
  for (const char* prefix : {"blockIdx.", "threadIdx."}) {
    const auto& actual = *prefix == 'b' ? launch.shape.groups : launch.shape.items;
    for (size_t i = 0; i < actual.size(); ++i) {
      const std::string tag = absl::StrCat(prefix, std::string(1, static_cast<char>('x' + i)));
      const auto bound = extents->find(tag);
      const int64_t expected = bound == extents->end() ? 1 : bound->second;
      if (expected == actual[i]) continue;
      wrong.push_back(absl::StrCat(launch.kernel, " is launched with ", actual[i], " for ", tag,
                                   ", whose loop has ", expected));
    }
  }
  return wrong;
}

}  // namespace irate::tvm_target
