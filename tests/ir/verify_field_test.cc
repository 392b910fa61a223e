// Rules that only a damaged message can break: the text form cannot write these.
#include "ir/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/ir/samples.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

struct RefusedMessage {
  std::string name;
  std::function<void(Case*)> damage;
  std::string error;
};
void PrintTo(const RefusedMessage& refused, std::ostream* out) { *out << refused.name; }

class RefusedField : public ::testing::TestWithParam<RefusedMessage> {};

Function* Main(Case* c) { return c->mutable_module()->mutable_functions(0); }
Stmt* Body(Case* c, int i) { return Main(c)->mutable_body(i); }

constexpr char kValid[] = R"(
A[0] = 1.5
for i in 0..4 {
}
block "b" {
  iter j: spatial 0..4 = 0
  reads A[0]
}
attr "k" on "text" = 1 {
}
eval shuffle([n], [0])
)";

TEST_P(RefusedField, WithThePlace) {
  Case c = samples::WithBody(kValid);
  ASSERT_TRUE(VerifyCase(c).ok()) << VerifyCase(c);
  GetParam().damage(&c);
  const absl::Status status = VerifyCase(c);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().error));
}

const RefusedMessage kDamages[] = {
    {"Version", [](Case* c) { c->set_version(2); }, "the Case has version 2"},
    {"NoFunction", [](Case* c) { c->clear_module(); }, "a module without functions"},
    {"PrivateEntry", [](Case* c) { Main(c)->set_is_private(true); }, "the entry is private"},
    {"FunctionName", [](Case* c) { Main(c)->clear_name(); }, "functions[0]: the name is empty"},
    {"FunctionTwice", [](Case* c) { c->mutable_module()->mutable_functions(1)->set_name("main"); },
     "two functions are called main"},
    {"Result", [](Case* c) { Main(c)->set_result(static_cast<ScalarType>(77)); },
     "function main: the result has an unknown type"},
    {"AttrNoalias",
     [](Case* c) {
       Attribute* attr = Main(c)->add_attrs();
       attr->set_key("noalias");
       attr->mutable_value()->set_op(CONST);
       attr->mutable_value()->set_type(I32);
     },
     "attribute noalias: noalias is a bool"},
    {"AttrNoValue", [](Case* c) { Main(c)->add_attrs()->set_key("a"); }, "a has no value"},
    {"VariableName", [](Case* c) { Main(c)->mutable_variables(1)->clear_name(); },
     "function main, variable : the name is empty"},
    {"VariableUtf8", [](Case* c) { Main(c)->mutable_variables(1)->set_name("\xff"); },
     "the name is not valid UTF-8"},
    {"VariableType", [](Case* c) { Main(c)->mutable_variables(1)->set_type(VOID); },
     "function main, variable i: a variable of type void"},
    {"VariableTypeNumber",
     [](Case* c) { Main(c)->mutable_variables(1)->set_type(static_cast<ScalarType>(50)); },
     "unknown type number 50"},
    {"VariableLanes", [](Case* c) { Main(c)->mutable_variables(1)->set_lanes(1); }, "1 lane"},
    {"Pointee", [](Case* c) { Main(c)->mutable_variables(1)->set_pointee(F32); },
     "only a handle has a pointee"},
    {"PointeeType",
     [](Case* c) { Main(c)->mutable_variables(1)->set_pointee(static_cast<ScalarType>(-1)); },
     "the pointee has an unknown type"},
    {"BufferName", [](Case* c) { Main(c)->mutable_buffers(0)->clear_name(); }, "the name is empty"},
    {"BufferType", [](Case* c) { Main(c)->mutable_buffers(0)->set_type(VOID); },
     "function main, buffer A: a buffer of type void"},
    {"Strides",
     [](Case* c) { *Main(c)->mutable_buffers(1)->add_strides() = Main(c)->buffers(0).shape(0); },
     "1 strides for 2 dimensions"},
    {"Alignment", [](Case* c) { Main(c)->mutable_buffers(0)->set_alignment(48); },
     "the alignment 48 is no power of two"},
    {"ShapeType", [](Case* c) { Main(c)->mutable_buffers(0)->mutable_shape(0)->set_type(BOOL); },
     "shape[0]: the constant 16 does not fit bool"},
    {"ShapeFloat",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_type(F32);
     },
     "params[0], buffer A, shape[0]: f32 where a scalar integer belongs"},
    {"ShapeOfUnusedBuffer",
     [](Case* c) {
       Main(c)->mutable_buffers(2)->mutable_shape(0)->set_int_value(int64_t{1} << 40);
     },
     "function main, buffer T, shape[0]: the constant 1099511627776 does not fit i32"},
    {"ShapeLoad",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(2)->mutable_shape(0);
       Expr load;
       load.set_op(CALL);
       load.set_name("clz");
       load.set_type(I32);
       load.add_args()->Swap(extent);
       extent->Swap(&load);
     },
     "CALL in the declaration of a buffer"},
    {"ParamKind", [](Case* c) { Main(c)->mutable_params(0)->set_kind(static_cast<ParamKind>(5)); },
     "params[0]: unknown kind of parameter"},
    {"ParamId", [](Case* c) { Main(c)->mutable_params(0)->set_id(99); },
     "params[0]: there is no buffer 99; the table has 5"},
    {"ParamVariable", [](Case* c) { Main(c)->mutable_params(2)->set_id(99); },
     "params[2]: there is no variable 99; the table has 9"},
    {"ParamTwice", [](Case* c) { Main(c)->mutable_params(1)->set_id(0); },
     "the buffer A is two parameters"},
    {"ParamVector", [](Case* c) { Main(c)->mutable_variables(0)->set_lanes(4); },
     "the scalar parameter n is a vector"},
    {"ParamHandle", [](Case* c) { Main(c)->mutable_variables(0)->set_type(HANDLE); },
     "the scalar parameter n of the entry is a handle"},
    {"DimensionType",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_op(VAR);
       extent->set_id(3);
       extent->set_type(F32);
     },
     "the dimension variable x has type f32"},
    {"DimensionAlone",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       Expr sum;
       sum.set_op(ADD);
       sum.set_type(I32);
       *sum.add_args() = *extent;
       sum.add_args()->set_op(VAR);
       sum.mutable_args(1)->set_type(I32);
       sum.mutable_args(1)->set_id(1);
       *extent = sum;
     },
     "the dimension variable i never stands alone"},
    {"DimensionValue",
     [](Case* c) {
       Expr* extent = Main(c)->mutable_buffers(0)->mutable_shape(0);
       extent->clear_int_value();
       extent->set_op(VAR);
       extent->set_id(2);
       Body(c, 2)->clear_block();
       *Body(c, 2) = *Body(c, 4);
     },
     "inputs.dims: no value for the dimension j of function main"},
    {"NoOperator", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(OP_INVALID); },
     "an expression without an operator"},
    {"UnknownOperator", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(static_cast<Op>(1000)); },
     "unknown operator number 1000"},
    {"Arguments", [](Case* c) { Body(c, 0)->mutable_args(0)->set_op(ADD); },
     "ADD with 0 arguments instead of 2"},
    {"StrayInt", [](Case* c) { Body(c, 0)->mutable_args(0)->set_int_value(1); },
     "CONST does not use int_value, which must stay unset"},
    {"StrayFloat", [](Case* c) { Body(c, 0)->mutable_args(1)->set_float_value(-0.0); },
     "CONST does not use float_value"},
    {"StrayId", [](Case* c) { Body(c, 0)->mutable_args(0)->set_id(1); }, "CONST does not use id"},
    {"StrayName", [](Case* c) { Body(c, 0)->mutable_args(0)->set_name("x"); },
     "CONST does not use name"},
    {"StrayList", [](Case* c) { Body(c, 0)->mutable_args(0)->add_int_list(0); },
     "CONST does not use int_list"},
    {"ConstVector", [](Case* c) { Body(c, 0)->mutable_args(0)->set_lanes(4); },
     "a vector constant: BROADCAST a scalar one"},
    {"ConstHandle",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->clear_float_value();
       Body(c, 0)->mutable_args(0)->set_type(HANDLE);
     },
     "a constant of type handle"},
    {"ConstBool",
     [](Case* c) {
       Body(c, 0)->mutable_args(1)->set_type(BOOL);
       Body(c, 0)->mutable_args(1)->set_int_value(2);
     },
     "the constant 2 does not fit bool"},
    {"ConstRange",
     [](Case* c) {
       Body(c, 0)->mutable_args(1)->set_type(U8);
       Body(c, 0)->mutable_args(1)->set_int_value(-1);
     },
     "the constant -1 does not fit u8"},
    {"VarId", [](Case* c) { Body(c, 4)->mutable_args(0)->mutable_args(0)->set_id(77); },
     "there is no variable 77"},
    {"VarType", [](Case* c) { Body(c, 4)->mutable_args(0)->mutable_args(0)->set_type(I64); },
     "VAR claims the type i64 but has i32"},
    {"VectorOfVoid",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->set_type(VOID);
       Body(c, 0)->mutable_args(0)->set_lanes(4);
     },
     "a vector of void"},
    {"CallName",
     [](Case* c) {
       Body(c, 0)->mutable_args(0)->set_op(CALL);
       Body(c, 0)->mutable_args(0)->clear_float_value();
     },
     "a call without a name"},
    {"StoreId", [](Case* c) { Body(c, 0)->set_id(42); },
     "body[0].store #42: there is no buffer 42"},
    {"StoreArgs", [](Case* c) { Body(c, 0)->clear_args(); },
     "STORE with 0 arguments instead of 1 or more"},
    {"StmtKind", [](Case* c) { Body(c, 0)->set_kind(static_cast<StmtKind>(99)); },
     "unknown kind of statement, number 99"},
    {"StmtKindUnset", [](Case* c) { Body(c, 0)->clear_kind(); }, "unknown kind of statement"},
    {"StmtBody", [](Case* c) { *Body(c, 0)->add_body() = *Body(c, 4); }, "STORE does not use body"},
    {"StmtOrelse", [](Case* c) { *Body(c, 1)->add_orelse() = *Body(c, 4); },
     "FOR does not use orelse"},
    {"StmtId", [](Case* c) { Body(c, 4)->set_id(1); }, "EVALUATE does not use id"},
    {"StmtName", [](Case* c) { Body(c, 1)->set_name("x"); }, "FOR does not use name"},
    {"StmtStrings", [](Case* c) { Body(c, 1)->add_strings("x"); }, "FOR does not use strings"},
    {"StmtBlock", [](Case* c) { Body(c, 1)->mutable_block(); }, "FOR does not use block"},
    {"StmtAttrNode", [](Case* c) { Body(c, 1)->mutable_attr_node(); },
     "FOR does not use attr_node"},
    {"StmtAnnotations", [](Case* c) { Body(c, 0)->add_annotations(); },
     "STORE does not use annotations"},
    {"StmtLoopKind", [](Case* c) { Body(c, 0)->set_loop_kind(PARALLEL); },
     "STORE does not use loop_kind"},
    {"StmtThreadTag", [](Case* c) { Body(c, 0)->set_thread_tag("x"); },
     "STORE does not use thread_tag"},
    {"ForArgs", [](Case* c) { Body(c, 1)->clear_args(); },
     "FOR with 0 arguments instead of 2 to 3"},
    {"ForKind", [](Case* c) { Body(c, 1)->set_loop_kind(static_cast<LoopKind>(9)); },
     "unknown kind of loop"},
    {"ForNoTag", [](Case* c) { Body(c, 1)->set_loop_kind(THREAD_BINDING); },
     "a thread tag belongs to a THREAD_BINDING loop"},
    {"ForStrayTag", [](Case* c) { Body(c, 1)->set_thread_tag("threadIdx.x"); },
     "a thread tag belongs to a THREAD_BINDING loop"},
    {"NoBlock", [](Case* c) { Body(c, 2)->clear_block(); }, "a BLOCK statement without a block"},
    {"IterKind",
     [](Case* c) {
       Body(c, 2)->mutable_block()->mutable_iters(0)->set_kind(static_cast<IterKind>(7));
     },
     "unknown kind of iterator"},
    {"IterVariable",
     [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->set_variable(70); },
     "iters[0]: there is no variable 70"},
    {"IterNoDomain", [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->clear_domain(); },
     "an iterator without a domain"},
    {"IterNoBinding",
     [](Case* c) { Body(c, 2)->mutable_block()->mutable_iters(0)->clear_binding(); },
     "an iterator without a binding"},
    {"RangeNoExtent",
     [](Case* c) {
       Body(c, 2)->mutable_block()->mutable_reads(0)->mutable_ranges(0)->clear_extent();
     },
     "a range without a minimum or extent"},
    {"MatchNoSource", [](Case* c) { Body(c, 2)->mutable_block()->add_match_buffers(); },
     "a match without a source"},
    {"MatchBuffer",
     [](Case* c) {
       Block* block = Body(c, 2)->mutable_block();
       MatchBuffer* match = block->add_match_buffers();
       *match->mutable_source() = block->reads(0);
       match->set_buffer(55);
     },
     "match_buffers[0]: there is no buffer 55"},
    {"MatchShape",
     [](Case* c) {
       Block* block = Body(c, 2)->mutable_block();
       MatchBuffer* match = block->add_match_buffers();
       *match->mutable_source() = block->reads(0);
       match->set_buffer(block->reads(0).buffer());
       match->mutable_source()->mutable_ranges(0)->mutable_extent()->set_int_value(9);
     },
     "extent 0 of the matched region is not that of the buffer"},
    {"AttrNodeUnset", [](Case* c) { Body(c, 3)->mutable_attr_node()->clear_node(); },
     "attr_node is set but names nothing"},
    {"AttrStrayThread", [](Case* c) { Body(c, 3)->mutable_attr_node()->set_thread_variable(1); },
     "attr_node has a thread variable but no thread tag"},
    {"PassName", [](Case* c) { c->mutable_passes()->add_steps(); },
     "passes.steps[0].name: it is empty"},
    {"PassMode", [](Case* c) { c->mutable_passes()->set_mode(static_cast<PassMode>(3)); },
     "passes.mode: unknown mode"},
    {"PassArgs",
     [](Case* c) {
       PassStep* step = c->mutable_passes()->add_steps();
       step->set_name("p");
       step->add_args()->set_op(VAR);
     },
     "passes.steps[0].args: it is neither a constant nor a string"},
    {"PassArgType",
     [](Case* c) {
       PassStep* step = c->mutable_passes()->add_steps();
       step->set_name("p");
       step->add_args()->set_op(CONST);
     },
     "a constant of type void"},
    {"ConfigValue", [](Case* c) { c->mutable_passes()->add_config()->set_key("k"); },
     "passes.config[0]: it has no value"},
    {"ConfigKey", [](Case* c) { c->mutable_passes()->add_config(); },
     "passes.config[0].key: it is empty"},
    {"ConfigTwice",
     [](Case* c) {
       Attribute* config = c->mutable_passes()->add_config();
       config->set_key("k");
       config->mutable_value()->set_op(STRING);
       const Attribute copy = *config;
       *c->mutable_passes()->add_config() = copy;
     },
     "passes.config[1]: the key k occurs twice"},
    {"SchedulePrimitive", [](Case* c) { c->mutable_schedule()->add_steps(); },
     "schedule.steps[0].primitive: it is empty"},
    {"TargetName", [](Case* c) { c->add_targets(); }, "targets[0].target: it is empty"},
    {"Feature", [](Case* c) { c->add_features(); }, "features: it is empty"},
    {"Fault", [](Case* c) { c->add_faults("\xc0\x80"); }, "faults: it is not valid UTF-8"},
    {"InputParam", [](Case* c) { c->mutable_inputs()->add_params()->set_param(3); },
     "inputs.params[0]: there is no parameter 3; function main has 3"},
    {"InputRange",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_min(2);
       c->mutable_inputs()->mutable_params(0)->set_max(1);
     },
     "inputs.params[0]: min 2 is above max 1"},
    {"InputType",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_param(2);
       c->mutable_inputs()->mutable_params(0)->set_max(int64_t{1} << 31);
     },
     "[0, 2147483648] is not within the range of i32"},
    {"InputReal",
     [](Case* c) {
       c->mutable_inputs()->add_params()->set_param(2);
       c->mutable_inputs()->mutable_params(0)->set_real(true);
     },
     "real values for a parameter of type i32"},
    {"InputTwice",
     [](Case* c) {
       c->mutable_inputs()->add_params();
       c->mutable_inputs()->add_params();
     },
     "inputs.params[1]: parameter 0 occurs twice"},
    {"DimUnknown", [](Case* c) { c->mutable_inputs()->add_dims()->set_variable(1); },
     "inputs.dims[0]: variable 1 of function main is no dimension"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedField, ::testing::ValuesIn(kDamages),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace irate
