#include "targets/tvm/schedule.h"

#include <utility>

#include "fmt/format.h"
#include "ir/index_map.h"
#include "ir/types.h"
#include "targets/tvm/literals.h"
#include "targets/tvm/node_types.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

constexpr char kScheduleCommands[] = "s_tir.schedule.Schedule";
constexpr char kRefusal[] = "ScheduleError";

// As Python's Schedule has them by default: any seed, no self checks, short messages.
constexpr int kRandomSeed = 1;
constexpr int kDebugMask = 0;
constexpr int kFastMessages = 1;

[[noreturn]] void Refuse(const std::string& message) { throw ffi::Error(kRefusal, message, ""); }

Any Constant(const Expr& expr) {
  if (!IsFloat(expr.type())) return IntImm(expr.type(), expr.int_value());
  return Native<"ir.FloatImm">(ToDataType(expr.type(), 0), expr.float_value(), nullptr);
}

// The operators that Python's are, which fold constants.
Any Term(const IndexTerm& term, const AnyArray& inputs, ScalarType type) {
  if (term.input < 0) return IntImm(type, term.scale);
  Any value = inputs[term.input];
  if (term.divisor != 1) {
    value = Native<"prim._OpFloorDiv">(value, IntImm(type, term.divisor), nullptr);
  }
  if (term.modulus != 0) {
    value = Native<"prim._OpFloorMod">(value, IntImm(type, term.modulus), nullptr);
  }
  if (term.scale != 1) value = Native<"prim._OpMul">(value, IntImm(type, term.scale), nullptr);
  return value;
}

AnyArray Outputs(const IndexMap& map, const AnyArray& inputs, ScalarType type) {
  AnyArray outputs;
  for (const std::vector<IndexTerm>& terms : map.outputs) {
    Any sum = Term(terms[0], inputs, type);
    for (size_t i = 1; i < terms.size(); ++i) {
      sum = Native<"prim._OpAdd">(sum, Term(terms[i], inputs, type), nullptr);
    }
    outputs.push_back(std::move(sum));
  }
  return outputs;
}

AnyArray Inputs(int count, ScalarType type) {
  AnyArray inputs;
  for (int i = 0; i < count; ++i) {
    inputs.push_back(
        Native<"ir.Var">(ffi::String(fmt::format("i{}", i)), PrimType(type, 0), nullptr));
  }
  return inputs;
}

// The type of a block's iterators; I64, as in Python, for a block that has none.
ScalarType IndexType(const Object* block) {
  for (const Any& iter : Elements(Ref<"s_tir.SBlock", "iter_vars">(block))) {
    const Object* variable = Ref<"tirx.IterVar", "var">(ObjectOf(iter));
    const Any type = Get<"ir.Expr", "ty">(variable);
    const std::optional<ValueType> value = FromType(ObjectOf(type));
    if (value.has_value()) return value->type;
  }
  return I64;
}

int BufferKind(const std::string& text) { return text == "write" ? 1 : 0; }

Any PlainValue(const Expr& expr) {
  return expr.op() == STRING ? Any(ffi::String(expr.name())) : Any(expr.int_value());
}

}  // namespace

Scheduler::Scheduler(const Any& module, const std::string& function) {
  schedule_ =
      Native<"s_tir.schedule.TracedSchedule">(module, kRandomSeed, kDebugMask, kFastMessages, true);
  Native<"s_tir.schedule.ScheduleWorkOn">(schedule_, ffi::String(function));
}

bool Scheduler::IsSchedulable(const Any& module, const std::string& function) {
  const Any native = Native<"ir.Module_Lookup_str">(module, ffi::String(function));
  const Any body = Get<"tirx.PrimFunc", "body">(ObjectOf(native));
  return ObjectOf(body) != nullptr && ObjectOf(body)->GetTypeKey() == "s_tir.SBlockRealize";
}

Any Scheduler::Module() const { return Native<"s_tir.schedule.ScheduleGetMod">(schedule_); }

Any Scheduler::Block(const std::string& name) const {
  return Native<"s_tir.schedule.ScheduleGetSBlock">(schedule_, ffi::String(name), nullptr);
}

Any Scheduler::Loop(const std::string& block, int64_t number) const {
  const AnyArray loops =
      Native<"s_tir.schedule.ScheduleGetLoops">(schedule_, Block(block)).cast<AnyArray>();
  const auto count = static_cast<int64_t>(loops.size());
  const int64_t index = number < 0 ? number + count : number;
  if (index < 0 || index >= count) {
    Refuse(fmt::format("there is no loop {} among the {} around the block '{}'", number, count,
                       block));
  }
  return loops[index];
}

AnyArray Scheduler::Loops(const StepArgument& argument) const {
  AnyArray loops;
  for (size_t i = 0; i < argument.ints.size(); ++i) {
    loops.push_back(Loop(argument.texts[i], argument.ints[i]));
  }
  return loops;
}

Any Scheduler::Target(const StepArgument& argument) const {
  if (argument.is_loop) return Loop(argument.texts[0], argument.ints[0]);
  if (argument.kind == StepParam::kTarget) return Block(argument.texts[0]);
  AnyArray blocks;
  for (const std::string& name : argument.texts) blocks.push_back(Block(name));
  return blocks;
}

Any Scheduler::IndexMapOf(const std::string& text, const Any& block, int inputs_wanted) const {
  const absl::StatusOr<IndexMap> map = ParseIndexMap(text);
  if (!map.ok()) Refuse(std::string(map.status().message()));
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, block);
  if (map->inputs != inputs_wanted) {
    Refuse(fmt::format("the index map takes {} indices; there are {}", map->inputs, inputs_wanted));
  }
  const ScalarType type = IndexType(ObjectOf(native));
  const AnyArray inputs = Inputs(map->inputs, type);
  return Native<"tirx.IndexMap">(inputs, Outputs(*map, inputs, type), nullptr);
}

int Scheduler::IterCount(const Any& block) const {
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, block);
  return static_cast<int>(Elements(Ref<"s_tir.SBlock", "iter_vars">(ObjectOf(native))).size());
}

int Scheduler::BufferRank(const Any& block, const StepArgument& buffer) const {
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, block);
  const Elements regions(BufferKind(buffer.texts[0]) == 1
                             ? Ref<"s_tir.SBlock", "writes">(ObjectOf(native))
                             : Ref<"s_tir.SBlock", "reads">(ObjectOf(native)));
  const auto place = static_cast<size_t>(buffer.ints[0]);
  if (place >= regions.size()) Refuse(fmt::format("the block has {} regions", regions.size()));
  const Object* region = ObjectOf(regions.begin()[place]);
  return static_cast<int>(Elements(Ref<"ir.TensorRegion", "region">(region)).size());
}

void Scheduler::RequireAnnotation(const Any& target, const std::string& key) const {
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, target);
  const bool is_loop = ObjectOf(native)->GetTypeKey() == "tirx.For";
  const Any annotations = is_loop ? Get<"tirx.For", "annotations">(ObjectOf(native))
                                  : Get<"s_tir.SBlock", "annotations">(ObjectOf(native));
  const auto map = annotations.cast<ffi::Map<ffi::String, Any>>();
  if (map.count(ffi::String(key)) == 0) Refuse(fmt::format("there is no annotation '{}'", key));
}

// What InjectSoftwarePipeline takes for granted, and its documentation asks for: a number for each
// part of the loop's body.
void Scheduler::RequireParts(const Any& loop, size_t parts) const {
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, loop);
  const Object* body = Ref<"tirx.For", "body">(ObjectOf(native));
  const size_t count = TypeOf(body).kind == NodeKind::kSeqStmt
                           ? Elements(Ref<"tirx.SeqStmt", "seq">(body)).size()
                           : 1;
  if (count != parts) Refuse(fmt::format("the loop's body has {} parts", count));
}

void Scheduler::CheckPreconditions(const PrimitiveInfo& primitive,
                                   const std::vector<StepArgument>& arguments) const {
  if (primitive.name == "unannotate") {
    RequireAnnotation(Target(arguments[0]), arguments[1].texts[0]);
  }
  if (primitive.name == "annotate" && arguments[1].texts[0].starts_with("software_pipeline")) {
    if (!arguments[0].is_loop) Refuse("a software pipeline is a loop");
    RequireParts(Target(arguments[0]), arguments[2].values.size());
  }
}

// In terms of the block's own iterators, as Python gives them to the user's function.
Any Scheduler::RegionsOf(const std::string& text, const Any& block) const {
  const absl::StatusOr<IndexMap> map = ParseIndexMap(text);
  if (!map.ok()) Refuse(std::string(map.status().message()));
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, block);
  AnyArray iters;
  for (const Any& iter : Elements(Ref<"s_tir.SBlock", "iter_vars">(ObjectOf(native)))) {
    iters.push_back(Get<"tirx.IterVar", "var">(ObjectOf(iter)));
  }
  if (static_cast<int>(iters.size()) != map->inputs ||
      map->outputs.size() != 2 * static_cast<size_t>(iters.size())) {
    Refuse(fmt::format("the block has {} iterators", iters.size()));
  }
  // Numbers are i32 whatever the iterators are, as Python makes them.
  return Native<"tirx.IndexMap">(iters, Outputs(*map, iters, I32), nullptr);
}

Any Scheduler::PadMap(const StepArgument& pad, const StepArgument& map, const Any& block) const {
  if (pad.values.empty()) return Any();
  const absl::StatusOr<IndexMap> parsed = ParseIndexMap(map.texts[0]);
  if (!parsed.ok()) Refuse(std::string(parsed.status().message()));
  const Any native = Native<"s_tir.schedule.ScheduleGet">(schedule_, block);
  AnyArray outputs;
  outputs.push_back(Constant(pad.values[0]));
  return Native<"tirx.IndexMap">(
      Inputs(static_cast<int>(parsed->outputs.size()), IndexType(ObjectOf(native))), outputs,
      nullptr);
}

void Scheduler::Append(const std::vector<StepArgument>& arguments, size_t index,
                       AnyArray* natives) const {
  const StepArgument& argument = arguments[index];
  switch (argument.kind) {
    case StepParam::kBlock:
      natives->push_back(Block(argument.texts[0]));
      break;
    case StepParam::kBlocks: {
      AnyArray blocks;
      for (const std::string& name : argument.texts) blocks.push_back(Block(name));
      natives->push_back(std::move(blocks));
      break;
    }
    case StepParam::kLoop:
      natives->push_back(Loop(argument.texts[0], argument.ints[0]));
      break;
    case StepParam::kLoops:
      natives->push_back(Loops(argument));
      break;
    case StepParam::kTarget:
    case StepParam::kTargets:
      natives->push_back(Target(argument));
      break;
    case StepParam::kInt:
      natives->push_back(argument.ints[0]);
      break;
    case StepParam::kBool:
      natives->push_back(argument.ints[0] != 0);
      break;
    case StepParam::kInts:
    case StepParam::kFactors: {
      AnyArray numbers;
      for (const int64_t number : argument.ints) {
        numbers.push_back(argument.kind == StepParam::kFactors && number == 0 ? Any()
                                                                              : Any(number));
      }
      natives->push_back(std::move(numbers));
      break;
    }
    case StepParam::kScope:
      natives->push_back(ffi::String(ScopeToNative(argument.texts[0])));
      break;
    case StepParam::kText: {
      // What a buffer is to the block is a number in one command and text in the others.
      const bool precedes_regions =
          index + 1 < arguments.size() && arguments[index + 1].kind == StepParam::kRegions;
      natives->push_back(precedes_regions ? Any(BufferKind(argument.texts[0]))
                                          : Any(ffi::String(argument.texts[0])));
      break;
    }
    case StepParam::kValue: {
      AnyArray values;
      for (const Expr& value : argument.values) values.push_back(PlainValue(value));
      natives->push_back(values.size() == 1 ? values[0] : Any(values));
      break;
    }
    case StepParam::kIndexMap:
      natives->push_back(IndexMapOf(argument.texts[0], (*natives)[0],
                                    arguments[index - 1].kind == StepParam::kBuffer
                                        ? BufferRank((*natives)[0], arguments[index - 1])
                                        : IterCount((*natives)[0])));
      break;
    case StepParam::kRegions:
      natives->push_back(RegionsOf(argument.texts[0], (*natives)[0]));
      break;
    case StepParam::kBuffer:
      natives->push_back(argument.ints[0]);
      natives->push_back(BufferKind(argument.texts[0]));
      break;
    case StepParam::kPadValue:
      natives->push_back(PadMap(argument, arguments[index - 1], (*natives)[0]));
      // Not to be taken for injective where TVM cannot prove it.
      natives->push_back(false);
      break;
    case StepParam::kNone:
      break;
  }
}

void Scheduler::Apply(const PrimitiveInfo& primitive, const std::vector<StepArgument>& arguments) {
  CheckPreconditions(primitive, arguments);
  AnyArray natives;
  for (size_t i = 0; i < arguments.size(); ++i) Append(arguments, i, &natives);
  const ffi::Function command = ffi::Function::GetGlobalRequired(std::string(kScheduleCommands) +
                                                                 std::string(primitive.command));
  std::vector<ffi::AnyView> packed = {schedule_};
  for (const Any& native : natives) packed.emplace_back(native);
  Any result;
  command.CallPacked(packed.data(), static_cast<int32_t>(packed.size()), &result);
}

}  // namespace irate::tvm_target
