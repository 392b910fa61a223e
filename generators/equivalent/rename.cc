// Names mean nothing.
#include "fmt/format.h"
#include "generators/equivalent/rewrite_list.h"

namespace irate {
namespace {

class Rename : public Rewrite {
 public:
  std::string_view Name() const override { return "rename"; }

  // * Any function.
  int CountSites(const Module& module) const override { return module.functions_size(); }

  // Every variable and buffer of the function gets another name.
  void ApplyAt(Module* module, int site, ChoiceSource& choices) const override {
    Function* function = module->mutable_functions(site);
    const int64_t salt = choices.Range(0, 999);
    for (int i = 0; i < function->variables_size(); ++i) {
      function->mutable_variables(i)->set_name(fmt::format("n{}_{}", salt, i));
    }
    for (int i = 0; i < function->buffers_size(); ++i) {
      function->mutable_buffers(i)->set_name(fmt::format("B{}_{}", salt, i));
    }
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeRename() { return std::make_unique<Rename>(); }

}  // namespace irate
