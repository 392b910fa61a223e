#include "programs.h"

#include "ir/builder.h"
#include "ir/types.h"

namespace irate::tvm_test {
namespace {

using namespace irate::build;  // NOLINT: these are descriptions in the builder's language

Case NewCase() {
  Case result;
  result.set_version(1);
  result.mutable_module()->add_functions()->set_name("main");
  result.mutable_inputs()->set_seed(7);
  return result;
}

Function* Entry(Case* test_case) { return test_case->mutable_module()->mutable_functions(0); }

uint32_t AddParam(Function* f, std::string_view name, ScalarType type, std::vector<Expr> shape) {
  const uint32_t buffer = AddBuffer(f, name, type, std::move(shape));
  AddBufferParam(f, buffer);
  return buffer;
}

Range MakeRange(Expr min, Expr extent) {
  Range range;
  *range.mutable_min() = std::move(min);
  *range.mutable_extent() = std::move(extent);
  return range;
}

BufferRegion Region(uint32_t buffer, std::vector<Range> ranges) {
  BufferRegion region;
  region.set_buffer(buffer);
  for (Range& range : ranges) *region.add_ranges() = std::move(range);
  return region;
}

Range Point(Expr index) { return MakeRange(std::move(index), I32Const(1)); }

void AddIter(Stmt* block, uint32_t variable, IterKind kind, int64_t extent, Expr binding) {
  BlockIter* iter = block->mutable_block()->add_iters();
  iter->set_variable(variable);
  iter->set_kind(kind);
  *iter->mutable_domain() = MakeRange(I32Const(0), I32Const(extent));
  *iter->mutable_binding() = std::move(binding);
}

Stmt NewBlock(std::string_view name, std::vector<Stmt> body) {
  Stmt block;
  block.set_kind(BLOCK);
  block.mutable_block()->set_name(std::string(name));
  for (Stmt& stmt : body) *block.add_body() = std::move(stmt);
  return block;
}

void Annotate(google::protobuf::RepeatedPtrField<Attribute>* attributes, std::string_view key,
              Expr value) {
  Attribute* attribute = attributes->Add();
  attribute->set_key(std::string(key));
  *attribute->mutable_value() = std::move(value);
}

}  // namespace

Case Matmul(int64_t n) {
  Case result = NewCase();
  Function* f = Entry(&result);
  const auto shape = [n] { return std::vector<Expr>{I32Const(n), I32Const(n)}; };
  const uint32_t a = AddParam(f, "A", F32, shape());
  const uint32_t b = AddParam(f, "B", F32, shape());
  const uint32_t c = AddParam(f, "C", F32, shape());
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t j = AddVariable(f, "j", I32);
  const uint32_t k = AddVariable(f, "k", I32);
  Annotate(f->mutable_attrs(), "noalias", BoolConst(true));
  const auto at = [f](uint32_t x, uint32_t y) { return std::vector<Expr>{Var(*f, x), Var(*f, y)}; };
  Stmt update = Store(
      c,
      Binary(ADD, Load(*f, c, at(i, j)), Binary(MUL, Load(*f, a, at(i, k)), Load(*f, b, at(k, j)))),
      at(i, j));
  Stmt inner = For(k, I32Const(0), I32Const(n), SERIAL, {std::move(update)});
  Stmt middle = For(j, I32Const(0), I32Const(n), SERIAL,
                    {Store(c, Float(F32, 0), at(i, j)), std::move(inner)});
  *f->add_body() = For(i, I32Const(0), I32Const(n), PARALLEL, {std::move(middle)});
  return result;
}

Case BlockReduction(int64_t rows, int64_t columns) {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(rows), I32Const(columns)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(rows)});
  const uint32_t n = AddVariable(f, "n", I32);
  AddScalarParam(f, n);
  const uint32_t sum = AddBuffer(f, "S", F32, {I32Const(rows)});
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t k = AddVariable(f, "k", I32);
  const uint32_t vi = AddVariable(f, "vi", I32);
  const uint32_t vk = AddVariable(f, "vk", I32);
  const uint32_t i2 = AddVariable(f, "i2", I32);
  const uint32_t v2 = AddVariable(f, "v2", I32);

  Stmt reduce = NewBlock(
      "sum",
      {Store(sum,
             Binary(ADD, Load(*f, sum, {Var(*f, vi)}), Load(*f, a, {Var(*f, vi), Var(*f, vk)})),
             {Var(*f, vi)})});
  AddIter(&reduce, vi, SPATIAL, rows, Var(*f, i));
  AddIter(&reduce, vk, REDUCTION, columns, Var(*f, k));
  *reduce.mutable_block()->add_reads() = Region(a, {Point(Var(*f, vi)), Point(Var(*f, vk))});
  *reduce.mutable_block()->add_writes() = Region(sum, {Point(Var(*f, vi))});
  *reduce.mutable_block()->add_init() = Store(sum, Float(F32, 0), {Var(*f, vi)});

  Stmt scale = NewBlock(
      "scale", {Store(b,
                      IfThenElse(Binary(LT, Var(*f, v2), I32Const(3)), Load(*f, sum, {Var(*f, v2)}),
                                 Binary(MUL, Load(*f, sum, {Var(*f, v2)}), Float(F32, 2))),
                      {Var(*f, v2)})});
  AddIter(&scale, v2, SPATIAL, rows, Var(*f, i2));
  *scale.mutable_block()->mutable_predicate() = Binary(LT, Var(*f, i2), Var(*f, n));
  *scale.mutable_block()->add_reads() = Region(sum, {Point(Var(*f, v2))});
  *scale.mutable_block()->add_writes() = Region(b, {Point(Var(*f, v2))});

  Stmt root =
      NewBlock("root", {For(i, I32Const(0), I32Const(rows), PARALLEL,
                            {For(k, I32Const(0), I32Const(columns), SERIAL, {std::move(reduce)})}),
                        For(i2, I32Const(0), I32Const(rows), VECTORIZED, {std::move(scale)})});
  root.mutable_block()->add_alloc_buffers(sum);
  *f->add_body() = std::move(root);
  ParamInput* input = result.mutable_inputs()->add_params();
  input->set_param(2);
  input->set_min(1);
  input->set_max(rows);
  return result;
}

Case SymbolicShape(int64_t n) {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t dim = AddVariable(f, "n", I32);
  const uint32_t a = AddParam(f, "A", F32, {Var(*f, dim)});
  const uint32_t b = AddParam(f, "B", F32, {Var(*f, dim)});
  const uint32_t scale = AddVariable(f, "scale", F32);
  AddScalarParam(f, scale);
  const uint32_t i = AddVariable(f, "i", I32);
  *f->add_body() =
      For(i, I32Const(0), Var(*f, dim), SERIAL,
          {Store(b, Binary(ADD, Load(*f, a, {Var(*f, i)}), Var(*f, scale)), {Var(*f, i)})});
  DimValue* value = result.mutable_inputs()->add_dims();
  value->set_variable(dim);
  value->set_value(n);
  return result;
}

Case Vectors() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(16)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(16)});
  const uint32_t i = AddVariable(f, "i", I32);
  *f->add_body() =
      For(i, I32Const(0), I32Const(8), VECTORIZED,
          {Store(b, Binary(MUL, Load(*f, a, {Var(*f, i)}), Float(F32, 2)), {Var(*f, i)})});
  Expr ramp = Ramp(I32Const(8), I32Const(1), 4);
  *f->add_body() = Store(b, Binary(ADD, Load(*f, a, {ramp}), Broadcast(Float(F32, 1), 4)), {ramp});
  Expr shuffle;
  shuffle.set_op(SHUFFLE);
  shuffle.set_type(F32);
  shuffle.set_lanes(4);
  *shuffle.add_args() = Load(*f, a, {Ramp(I32Const(0), I32Const(1), 4)});
  for (int lane : {3, 2, 1, 0}) shuffle.add_int_list(lane);
  *f->add_body() = Store(b, std::move(shuffle), {Ramp(I32Const(12), I32Const(1), 4)});
  return result;
}

Case ScalarTypes() {
  Case result = NewCase();
  Function* f = Entry(&result);
  constexpr ScalarType kTypes[] = {BOOL, I8,  I16,  I32, I64, U8,       U16,   U32,
                                   U64,  F16, BF16, F32, F64, F8E4M3FN, F8E5M2};
  std::vector<uint32_t> buffers;
  for (ScalarType type : kTypes) {
    buffers.push_back(
        AddParam(f, std::string("P_") + std::string(TypeName(type)), type, {I32Const(4)}));
  }
  const uint32_t out = AddParam(f, "Out", F32, {I32Const(4)});
  const uint32_t i = AddVariable(f, "i", I32);
  std::vector<Stmt> body;
  body.push_back(Store(out, Float(F32, 0), {Var(*f, i)}));
  for (uint32_t buffer : buffers) {
    body.push_back(Store(
        out, Binary(ADD, Load(*f, out, {Var(*f, i)}), Cast(F32, Load(*f, buffer, {Var(*f, i)}))),
        {Var(*f, i)}));
  }
  *f->add_body() = For(i, I32Const(0), I32Const(4), SERIAL, std::move(body));
  // TVM converts zero and subnormal numbers of 8 bits wrongly.
  for (int param = 0; param < f->params_size(); ++param) {
    const ScalarType type = f->buffers(static_cast<int>(f->params(param).id())).type();
    if (type != F8E4M3FN && type != F8E5M2) continue;
    ParamInput* input = result.mutable_inputs()->add_params();
    input->set_param(static_cast<uint32_t>(param));
    input->set_min(1);
    input->set_max(2);
  }
  return result;
}

Case Operators() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t x = AddParam(f, "X", I32, {I32Const(8)});
  const uint32_t u = AddParam(f, "U", U64, {I32Const(8)});
  const uint32_t y = AddParam(f, "Y", F32, {I32Const(8)});
  const uint32_t xo = AddParam(f, "XO", I32, {I32Const(8)});
  const uint32_t uo = AddParam(f, "UO", U64, {I32Const(8)});
  const uint32_t yo = AddParam(f, "YO", F32, {I32Const(8)});
  const uint32_t i = AddVariable(f, "i", I32);
  std::vector<Stmt> body;
  const auto index = [&] { return std::vector<Expr>{Var(*f, i)}; };
  const auto positive = [&](Expr value) {  // in [1, 7]
    return Binary(ADD, Binary(BIT_AND, std::move(value), I32Const(3)), I32Const(4));
  };
  for (Op op : {ADD, SUB, MUL, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR}) {
    body.push_back(Store(xo, Binary(op, Load(*f, x, index()), I32Const(5)), index()));
  }
  for (Op op : {TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD, SHL, SHR}) {
    body.push_back(
        Store(xo, Binary(op, Load(*f, x, index()), positive(Load(*f, x, index()))), index()));
  }
  body.push_back(Store(xo, Unary(BIT_NOT, Load(*f, x, index())), index()));
  for (Op op : {ADD, SUB, MUL, DIV, MIN, MAX}) {
    body.push_back(Store(yo, Binary(op, Load(*f, y, index()), Float(F32, 2)), index()));
  }
  body.push_back(
      Store(uo, Binary(BIT_XOR, Load(*f, u, index()), Int(U64, int64_t{1} << 62)), index()));
  Expr condition = Binary(EQ, Load(*f, x, index()), I32Const(0));
  for (Op op : {NE, LT, LE, GT, GE}) {
    condition = Binary(op == LT ? OR : AND, std::move(condition),
                       Binary(op, Load(*f, x, index()), I32Const(1)));
  }
  condition = Unary(NOT, std::move(condition));
  body.push_back(Store(xo, Select(std::move(condition), I32Const(1), I32Const(2)), index()));
  body.push_back(Store(xo, Reinterpret(I32, Load(*f, y, index())), index()));
  *f->add_body() = For(i, I32Const(0), I32Const(8), SERIAL, std::move(body));
  return result;
}

Case WideConstants() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t u = AddParam(f, "U", U64, {I32Const(2)});
  const uint32_t x = AddParam(f, "X", I64, {I32Const(2)});
  *f->add_body() = Store(u, Int(U64, -1), {I32Const(0)});
  *f->add_body() = Store(u, Int(U64, MinValue(I64)), {I32Const(1)});
  *f->add_body() = Store(x, Int(I64, MinValue(I64)), {I32Const(0)});
  *f->add_body() = Store(x, Int(I64, MaxValue(I64)), {I32Const(1)});
  return result;
}

Case Intrinsics() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(8)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(8)});
  const uint32_t c = AddParam(f, "C", I32, {I32Const(8)});
  const uint32_t i = AddVariable(f, "i", I32);
  std::vector<Stmt> body;
  const auto load = [&] { return Load(*f, a, {Var(*f, i)}); };
  for (const char* name : {"exp", "log2", "sqrt", "tanh", "floor", "ceil", "round", "fabs", "erf",
                           "sigmoid", "nearbyint", "trunc"}) {
    body.push_back(Store(b, Call(name, F32, {load()}), {Var(*f, i)}));
  }
  body.push_back(Store(b, Call("pow", F32, {load(), Float(F32, 2)}), {Var(*f, i)}));
  body.push_back(Store(c, Call("popcount", I32, {Load(*f, c, {Var(*f, i)})}), {Var(*f, i)}));
  body.push_back(If(Call("likely", BOOL, {Binary(LT, Var(*f, i), I32Const(4))}),
                    {Store(c, Cast(I32, Call("isnan", BOOL, {load()})), {Var(*f, i)})}));
  *f->add_body() = For(i, I32Const(0), I32Const(8), SERIAL, std::move(body));
  return result;
}

Case ControlFlow() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", I32, {I32Const(16)});
  const uint32_t b = AddParam(f, "B", I32, {I32Const(16)});
  const uint32_t n = AddVariable(f, "n", I32);
  AddScalarParam(f, n);
  const uint32_t counter = AddBuffer(f, "count", I32, {I32Const(1)}, "local");
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t j = AddVariable(f, "j", I32);
  const uint32_t k = AddVariable(f, "k", I32);
  const uint32_t m = AddVariable(f, "m", I32);
  const uint32_t x = AddVariable(f, "x", I32);
  const uint32_t y = AddVariable(f, "y", I32);

  Stmt check;
  check.set_kind(ASSERT);
  check.set_name("ValueError");
  check.add_strings("n must be ");
  check.add_strings("positive");
  *check.add_args() = Binary(GT, Var(*f, n), I32Const(0));
  *f->add_body() = check;

  *f->add_body() = Alloc(counter);
  *f->add_body() = Store(counter, I32Const(0), {I32Const(0)});
  *f->add_body() = While(
      Binary(LT, Load(*f, counter, {I32Const(0)}), I32Const(16)),
      {Store(b, Load(*f, counter, {I32Const(0)}), {Load(*f, counter, {I32Const(0)})}),
       Store(counter, Binary(ADD, Load(*f, counter, {I32Const(0)}), I32Const(1)), {I32Const(0)})});

  Stmt stepped = For(i, I32Const(0), I32Const(16), SERIAL,
                     {Store(b, Load(*f, a, {Var(*f, i)}), {Var(*f, i)})});
  *stepped.add_args() = I32Const(2);
  *f->add_body() = std::move(stepped);

  Stmt unrolled = For(
      j, I32Const(0), I32Const(4), UNROLLED,
      {Bind(x, Binary(ADD, Load(*f, a, {Var(*f, j)}), I32Const(1))),
       If(Binary(GT, Var(*f, x), I32Const(0)), {Store(b, Var(*f, x), {Var(*f, j)})},
          {Store(b,
                 Let(y, Binary(MUL, Var(*f, x), I32Const(2)), Binary(SUB, Var(*f, y), Var(*f, x))),
                 {Var(*f, j)})})});
  Annotate(unrolled.mutable_annotations(), "pragma_unroll_explicit", BoolConst(true));
  *f->add_body() = std::move(unrolled);

  Stmt leave;
  leave.set_kind(BREAK);
  Stmt skip;
  skip.set_kind(CONTINUE);
  *f->add_body() = For(k, I32Const(0), I32Const(16), SERIAL,
                       {If(Binary(EQ, Var(*f, k), I32Const(3)), {std::move(skip)}),
                        If(Binary(GT, Var(*f, k), Var(*f, n)), {std::move(leave)}),
                        Store(b, Var(*f, k), {Var(*f, k)})});

  Stmt pragma;
  pragma.set_kind(ATTR);
  pragma.set_name("pragma_hint");
  *pragma.add_args() = I32Const(1);
  *pragma.add_body() =
      For(m, I32Const(0), I32Const(2), SERIAL, {Store(b, Var(*f, m), {Var(*f, m)})});
  *f->add_body() = std::move(pragma);
  ParamInput* input = result.mutable_inputs()->add_params();
  input->set_param(2);
  input->set_min(4);
  input->set_max(12);
  return result;
}

Case BlockFeatures() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(8), I32Const(8)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(8), I32Const(8)});
  const uint32_t window = AddBuffer(f, "W", F32, {I32Const(8)});
  const uint32_t temporary = AddBuffer(f, "T", F32, {I32Const(8)});
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t v = AddVariable(f, "v", I32);
  const uint32_t j = AddVariable(f, "j", I32);
  const uint32_t k = AddVariable(f, "k", I32);
  // The row of A is named by a stride and an offset that the block binds.
  const uint32_t offset = AddVariable(f, "W_offset", I32);
  Buffer* view = f->mutable_buffers(static_cast<int>(window));
  *view->mutable_elem_offset() = Var(*f, offset);
  *view->add_strides() = I32Const(1);

  Stmt rows = NewBlock(
      "rows", {For(j, I32Const(0), I32Const(8), SERIAL,
                   {Store(temporary, Load(*f, window, {Var(*f, j)}), {Var(*f, j)})}),
               For(k, I32Const(0), I32Const(8), SERIAL,
                   {Store(b, Load(*f, temporary, {Var(*f, k)}), {Var(*f, v), Var(*f, k)})})});
  Block* block = rows.mutable_block();
  AddIter(&rows, v, SPATIAL, 8, Var(*f, i));
  *block->mutable_predicate() = Binary(LT, Var(*f, i), I32Const(7));
  *block->add_reads() = Region(a, {Point(Var(*f, v)), MakeRange(I32Const(0), I32Const(8))});
  *block->add_writes() = Region(b, {Point(Var(*f, v)), MakeRange(I32Const(0), I32Const(8))});
  block->add_alloc_buffers(temporary);
  MatchBuffer* match = block->add_match_buffers();
  match->set_buffer(window);
  *match->mutable_source() = Region(a, {Point(Var(*f, v)), MakeRange(I32Const(0), I32Const(8))});
  Expr list = Call("array", HANDLE, {I32Const(0), I32Const(1)});
  Annotate(block->mutable_annotations(), "list", std::move(list));
  Annotate(block->mutable_annotations(), "number", I32Const(3));
  Annotate(block->mutable_annotations(), "text", String("some text"));
  *f->add_body() = For(i, I32Const(0), I32Const(8), SERIAL, {std::move(rows)});
  return result;
}

Case Layouts() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", I32, {I32Const(4), I32Const(6)});
  Buffer* buffer = f->mutable_buffers(static_cast<int>(a));
  *buffer->add_strides() = I32Const(8);
  *buffer->add_strides() = I32Const(1);
  *buffer->mutable_elem_offset() = I32Const(16);
  buffer->set_alignment(32);
  const uint32_t b = AddParam(f, "B", I32, {I32Const(4), I32Const(6)});
  const uint32_t stride = AddVariable(f, "stride", I32);
  Buffer* second = f->mutable_buffers(static_cast<int>(b));
  *second->add_strides() = Var(*f, stride);
  *second->add_strides() = I32Const(1);
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t j = AddVariable(f, "j", I32);
  *f->add_body() =
      For(i, I32Const(0), I32Const(4), SERIAL,
          {For(j, I32Const(0), I32Const(6), SERIAL,
               {Store(b, Binary(ADD, Load(*f, a, {Var(*f, i), Var(*f, j)}), I32Const(1)),
                      {Var(*f, i), Var(*f, j)})})});
  DimValue* value = result.mutable_inputs()->add_dims();
  value->set_variable(stride);
  value->set_value(10);
  return result;
}

Case Functions() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(8)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(8)});
  const auto data = [](uint32_t buffer) {
    Expr expr;
    expr.set_op(BUFFER_DATA);
    expr.set_type(HANDLE);
    expr.set_id(buffer);
    return expr;
  };
  *f->add_body() = Evaluate(Call("@copy", VOID, {data(a), data(b)}));

  Function* copy = result.mutable_module()->add_functions();
  copy->set_name("copy");
  copy->set_is_private(true);
  std::vector<uint32_t> buffers;
  for (const char* name : {"source", "sink"}) {
    const uint32_t pointer = AddVariable(copy, name, HANDLE);
    copy->mutable_variables(static_cast<int>(pointer))->set_pointee(F32);
    AddScalarParam(copy, pointer);
  }
  for (const char* name : {"X", "Y"}) {
    const uint32_t buffer = AddBuffer(copy, name, F32, {I32Const(8)});
    Stmt declare;
    declare.set_kind(DECL_BUFFER);
    declare.set_id(buffer);
    *declare.add_args() = Var(*copy, buffer);  // the parameter of the same number
    *copy->add_body() = std::move(declare);
  }
  const uint32_t i = AddVariable(copy, "i", I32);
  *copy->add_body() = For(i, I32Const(0), I32Const(8), SERIAL,
                          {Store(1, Load(*copy, 0, {Var(*copy, i)}), {Var(*copy, i)})});
  return result;
}

Case Views() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(4), I32Const(4)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(16)});
  const uint32_t flat = AddBuffer(f, "flat", F32, {I32Const(16)});
  Stmt declare;
  declare.set_kind(DECL_BUFFER);
  declare.set_id(flat);
  Expr data;
  data.set_op(BUFFER_DATA);
  data.set_type(HANDLE);
  data.set_id(a);
  *declare.add_args() = data;
  *f->add_body() = std::move(declare);
  const uint32_t i = AddVariable(f, "i", I32);
  *f->add_body() = For(i, I32Const(0), I32Const(16), SERIAL,
                       {Store(b, Load(*f, flat, {Var(*f, i)}), {Var(*f, i)})});
  return result;
}

Case Calls() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(4)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(4)});
  const uint32_t c = AddParam(f, "C", I32, {I32Const(4)});
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t threads = AddVariable(f, "threads", I32);
  *f->add_body() = Bind(threads, Call("tvm_call_packed", I32, {String("runtime.NumThreads")}));
  Expr root = Call("call_extern", F32, {String("sqrtf"), Load(*f, a, {Var(*f, i)})});
  root.set_lanes(0);
  *f->add_body() =
      For(i, I32Const(0), I32Const(4), SERIAL,
          {Store(b, std::move(root), {Var(*f, i)}), Store(c, Var(*f, threads), {Var(*f, i)})});
  return result;
}

Case Workspace() {
  Case result = NewCase();
  Function* f = Entry(&result);
  constexpr int64_t kSize = 1 << 16;
  const uint32_t a = AddParam(f, "A", F32, {I32Const(kSize)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(kSize)});
  const uint32_t temporary = AddBuffer(f, "T", F32, {I32Const(kSize)});
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t j = AddVariable(f, "j", I32);
  *f->add_body() = Alloc(temporary);
  *f->add_body() = For(i, I32Const(0), I32Const(kSize), SERIAL,
                       {Store(temporary, Load(*f, a, {Var(*f, i)}), {Var(*f, i)})});
  *f->add_body() =
      For(j, I32Const(0), I32Const(kSize), SERIAL,
          {Store(b, Load(*f, temporary, {Binary(SUB, I32Const(kSize - 1), Var(*f, j))}),
                 {Var(*f, j)})});
  return result;
}

Case DeviceKernel() {
  Case result = NewCase();
  Function* f = Entry(&result);
  const uint32_t a = AddParam(f, "A", F32, {I32Const(64)});
  const uint32_t b = AddParam(f, "B", F32, {I32Const(64)});
  const uint32_t shared = AddBuffer(f, "S", F32, {I32Const(16)}, "shared");
  const uint32_t block = AddVariable(f, "block", I32);
  const uint32_t thread = AddVariable(f, "thread", I32);
  const auto index = [&] {
    return Binary(ADD, Binary(MUL, Var(*f, block), I32Const(16)), Var(*f, thread));
  };
  Stmt barrier;
  barrier.set_kind(BARRIER);
  barrier.set_name("shared");
  Stmt threads =
      For(thread, I32Const(0), I32Const(16), THREAD_BINDING,
          {Store(shared, Load(*f, a, {index()}), {Var(*f, thread)}), std::move(barrier),
           Store(b, Load(*f, shared, {Binary(SUB, I32Const(15), Var(*f, thread))}), {index()})});
  threads.set_thread_tag("threadIdx.x");
  Stmt blocks =
      For(block, I32Const(0), I32Const(4), THREAD_BINDING, {Alloc(shared), std::move(threads)});
  blocks.set_thread_tag("blockIdx.x");
  *f->add_body() = std::move(blocks);
  return result;
}

std::vector<std::pair<std::string, Case>> AllPrograms() {
  return {{"Matmul", Matmul(16)},
          {"BlockReduction", BlockReduction(16, 8)},
          {"SymbolicShape", SymbolicShape(13)},
          {"Vectors", Vectors()},
          {"ScalarTypes", ScalarTypes()},
          {"Operators", Operators()},
          {"WideConstants", WideConstants()},
          {"Intrinsics", Intrinsics()},
          {"ControlFlow", ControlFlow()},
          {"BlockFeatures", BlockFeatures()},
          {"Layouts", Layouts()},
          {"Functions", Functions()},
          {"Views", Views()},
          {"Calls", Calls()},
          {"Workspace", Workspace()}};
}

}  // namespace irate::tvm_test
