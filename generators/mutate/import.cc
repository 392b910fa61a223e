#include "generators/mutate/import.h"

#include "ir/rewrite_ids.h"

namespace irate::mutate {
namespace {

IdMap Shifted(uint32_t variables, uint32_t buffers) {
  return {.variable = [variables](uint32_t id) { return id + variables; },
          .buffer = [buffers](uint32_t id) { return id + buffers; }};
}

}  // namespace

Import::Import(Case* test_case, const Case& donor) : donor_(donor.module().functions(0)) {
  Function* entry = test_case->mutable_module()->mutable_functions(0);
  first_variable_ = static_cast<uint32_t>(entry->variables_size());
  first_buffer_ = static_cast<uint32_t>(entry->buffers_size());
  const auto first_param = static_cast<uint32_t>(entry->params_size());
  const IdMap map = Shifted(first_variable_, first_buffer_);
  entry->mutable_variables()->MergeFrom(donor_.variables());
  for (const Buffer& buffer : donor_.buffers()) {
    Buffer* copy = entry->add_buffers();
    *copy = buffer;
    RewriteIds(copy, map);
  }
  for (const Param& param : donor_.params()) {
    Param* copy = entry->add_params();
    *copy = param;
    copy->set_id(param.id() + (param.kind() == PARAM_BUFFER ? first_buffer_ : first_variable_));
  }
  Inputs* inputs = test_case->mutable_inputs();
  for (const ParamInput& input : donor.inputs().params()) {
    ParamInput* copy = inputs->add_params();
    *copy = input;
    copy->set_param(input.param() + first_param);
  }
  for (const DimValue& dim : donor.inputs().dims()) {
    DimValue* copy = inputs->add_dims();
    *copy = dim;
    copy->set_variable(dim.variable() + first_variable_);
  }
}

std::vector<Stmt> Import::Body() const {
  const IdMap map = Shifted(first_variable_, first_buffer_);
  std::vector<Stmt> body(donor_.body().begin(), donor_.body().end());
  for (Stmt& stmt : body) RewriteIds(&stmt, map);
  return body;
}

}  // namespace irate::mutate
