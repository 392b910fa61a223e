#include "tests/ir/samples.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ir/builder.h"
#include "ir/text.h"

namespace irate::samples {
namespace {

constexpr char kExpressions[] = R"(
irate 1
generator "samples" seed 18446744073709551615
features "a", "b c"
faults "swap-operands"
target "tvm" "{\"kind\": \"llvm\"}"
target "c"
inputs seed 9 {
  param 0 in [-8, 8]
  param 2 in [-3, 3] real
  param 4 in [0, 1]
  dim n = 17
  dim s = 40
}
schedule {
  split(4, 2:i64) on "i", "j"
  fuse()
}
passes strict {
  pass tirx.transform.UnrollLoop()
  pass tirx.transform.NarrowDataType(32, "x")
  config tirx.disable_vectorize = true
  config "odd key" = "text"
}

func @main(buffer A, buffer B, buffer C, scalar k, scalar p) -> i32 attributes {"noalias" = true, "target" = "{}", "calling_conv" = 0} {
  var n, i, j, t: i32
  var s: i64
  var k: i64
  var p: bool
  var h: handle<f32, "global">
  var t2: f32
  var v: f32x4
  var u: u8
  var plain: handle
  buffer A: i32[n + 1, 8] strides [s, 1] offset n align 128 factor 4
  buffer B: i64[n]
  buffer C: f32[n, 2]
  buffer V: f32x4[16] scope "local"
  buffer S: f64[]
  buffer R: f32[64]
  buffer E: f8e4m3fn[4]
  buffer W: bool[i, min(n, 3)]

  let i = (n + 1) * 2 - n // 3 % 5 + min(n, max(2, -3))
  let j = truncdiv(i, 7) ^ truncmod(i, 7) | i & ~n
  let t = i << 3 >> 2
  let u = select(p && !(i < j || i >= 4) || i == j, u8(i), 255:u8)
  alloc V attributes {"pragma" = 1:i8, "note" = "x\"y"}
  alloc S
  alloc R
  alloc E
  alloc W
  let h = A.data
  let plain = handle_add_byte_offset<handle>(h, 8)
  V[0] = broadcast(1.5, 4)
  let v = V[1] * V[0] / V[2]
  V[3] = shuffle([v, V[1]], [7, 0, 3, 3])
  S[] = f64(shuffle([v], [2])) + S[] - inf:f64
  R[ramp(i * 4, 1, 4)] = if_then_else(n != 0, v, f32(ramp(0, 2, 4)))
  R[4] = reinterpret<f32>(j) + exp(nan) + pow(R[1], -inf) + nan(0x7ff8000000000001) + -nan
  R[5] = let t2 = R[4] in t2 * t2
  C[0, 1] = 1.0e-7 + 0.1 + 3.4028234663852886e+38 + -0.0 + 5e-324
  E[0] = 1.5:f8e4m3fn + f8e4m3fn(1.0:f8e5m2) + f8e4m3fn(2.5:bf16) + f8e4m3fn(-1.0:f16)
  A[0, 1] = i32(isnan(R[0])) + popcount(i) + clz<i32>(k) + i32(p) + @callee<i32>(A.data, n, true)
  B[0] = -9223372036854775808:i64 + i64(18446744073709551615:u64) + i64(-32768:i16 <= 1:i16)
  B[1] = i64(4294967295:u32 > 7:u32) + i64(65535:u16) + q_multiply_shift(k, k, k, k) + k
  if likely(i < 4 && p) {
    W[0, 1] = p != false
  }
  eval call_extern<void>("printf", "%d\n", i)
  eval reinterpret<handle>(0:u64)
  eval reinterpret<u64>(h)
  return i
}

private func @callee(buffer X, scalar m, scalar q) -> i32 {
  var m: i32
  var q: bool
  buffer X: i32[4]

  return m + X[m]
}
)";

constexpr char kStatements[] = R"(
irate 1
inputs seed 0 {
}
passes wild {
}

func @main(buffer A, buffer B) {
  var i, j, k, l, x: i32
  var m: i64
  var tx, bx: i32
  buffer A: f32[128]
  buffer B: f32[64, 2]
  buffer view: f32[64] align 1

  for i in 0..16 {
    for j in 2..9 step 3 parallel {
      A[j] = A[i]
    }
    for k in i +: 3 vectorized attributes {"pragma_x" = true, "k" = i} {
      A[k] = 1.0
    }
    for l in 0..4 unrolled {
      if l == 2 {
        A[l] = 2.0
      } else if l > 5 {
        A[l] = 3.0
        A[l + 1] = 4.0
      } else {
        if l > 7 {
        }
        A[l] = 5.0
      }
    }
    while A[i] < 3.0 {
      if i > 7 {
        break
      } else {
        continue
      }
    }
  }
  for bx in 0..4 bind "blockIdx.x" {
    for tx in 0..32 bind "threadIdx.x" {
      barrier "shared"
      A[bx * 32 + tx] = 0.0
    }
  }
  for m in -4:i64..9:i64 {
  }
  let x = 3
  decl view = A.data
  assert x > 0, "RuntimeError", "x is ", "\x01bad\ttext\n"
  attr "pragma_a" on buffer A = 1 {
    attr "b" on var x = "text" {
      attr "c" on "node" = x + 1 {
        attr "d" = 2 {
          eval x
        }
      }
    }
  }
  return
}
)";

constexpr char kBlocks[] = R"(
irate 1
inputs seed 3 {
  param 0 in [-4, 4]
}

func @main(buffer A, buffer B, buffer C) attributes {"noalias" = true} {
  var i, j, k, vi, vj, vk, s0, off, w: i32
  buffer A: f32[16, 32]
  buffer B: f32[32, 8]
  buffer C: f32[16, 8]
  buffer T: f32[4]
  buffer M: f32[1, 4] strides [s0, 1] offset off factor 1

  block "root" {
    for i in 0..16 {
      for j in 0..8 {
        for k in 0..32 {
          block "update" {
            iter vi: spatial 0..16 = i
            iter vj: spatial 0..8 = j
            iter vk: reduction 0..32 = k
            where i * 2 + k < 60
            reads A[vi, vk], B[vk, vj +: 1], A[0..4, vj +: vi]
            writes C[vi, vj]
            allocates T
            matches M = A[vi, vk // 4 * 4 +: 4]
            attributes {"script_parsing_detect_access" = 3, "vk" = vk}
            init {
              C[vi, vj] = 0.0
            }
            T[0] = M[0, vk % 4] + f32(s0 + off)
            C[vi, vj] = C[vi, vj] + T[0] * B[vk, vj]
          }
        }
      }
    }
    block "opaque" {
      iter w: opaque 3..4 = 3
      A[w, 0] = 1.0
    }
  }
}
)";

// Names that need quoting, names that occur twice, in both tables.
constexpr char kNames[] = R"(
irate 1
inputs seed 1 {
  dim `n m`#1 = 3
  dim `n m`#2 = 4
}

func @`ma in`(buffer `for`, buffer x#1, scalar x#0) {
  var x#0, `n m`#1, `n m`#2, x#3, `f32`, `i32x4`, min, exp, call: i32
  var reinterpret: i32
  var `in\``, y: i32
  buffer `for`: f32[`n m`#1]
  buffer x#1: f32[`n m`#2]
  buffer x#2: f32[1]
  buffer `a\nb`: f32[4]

  let x#3 = x#0 + min(x#0, 2)
  let min = x#3
  let exp = 5
  let call = exp
  let `f32` = exp
  let `i32x4` = i32(exp < i32(min))
  let reinterpret = 1
  let y = i32(reinterpret < i32(reinterpret < call))
  alloc x#2
  alloc `a\nb`
  `for`[min] = x#1[call] + x#2[0] + `a\nb`[i32(exp(1.0))]
  eval @`ä ö`(`for`.data)
}

func @`ä ö`(buffer B) {
  buffer B: f32[3]
}
)";

// What compilers give back and no source program may have.
constexpr char kLifted[] = R"(
irate 1

func @main(scalar handle_0, scalar args, scalar count, scalar result) -> i32 attributes {"calling_conv" = 1, "list" = tvm_tuple<handle>(1, "a")} {
  var handle_0, args, result: handle
  var count: i32
  var code, code2, i: i32
  var data: handle<f32>
  var shape: handle<void, "global">
  var tx: i32
  buffer A: f32[16] strides [1] offset 0 align 64 factor 1
  buffer D: f32[tvm_struct_get<i32>(args, 0, 9)]
  buffer T: f32[4] scope "shared.dyn"
  buffer never: f32[code * i]

  assert count == 1, "TypeError", "expected 1 argument"
  let code = tvm_struct_get<i32>(args, 0, 13)
  let data = tvm_struct_get<handle>(args, 0, 15)
  decl A = data
  decl D = A.data
  assert !isnullptr<bool>(data), "TypeError", ""
  for i in 0..16 {
    A[i] = call "my.unknown_op"<f32>(A[i], "s")
  }
  for i in 0..4 unrolled {
    if i == 3 {
      break
    }
    alloc T
    T[i] = A[i]
  }
  alloc T
  attr "thread_extent" on thread tx "threadIdx.x" = 32 {
    attr "thread_extent" on thread tx "threadIdx.x" = 32 {
      T[0] = A[tx]
    }
  }
  eval let code2 = code in call_extern<void>("f", code2 | code2)
  eval true & (data == args)
  eval call "nothing"()
  block "" {
    reads A[0 +: 4:i64], A[i32(count) +: count], D[0:i64..count]
  }
  return 0
}
)";

constexpr char kAroundBody[] = R"(
irate 1
func @main(buffer A, buffer B, scalar n) {
  var n, i, j: i32
  var x: f32
  var q: i64
  var p: bool
  var h: handle
  var v: i32x4
  var vp: boolx4
  buffer A: f32[16]
  buffer B: i32[4, 4]
  buffer T: f32[4]
  buffer V: f32x4[4]
  buffer D: f32[i]

  BODY
}

private func @callee(buffer X, scalar m) -> i32 {
  var m: i32
  buffer X: f32[4]

  return m
}
)";

Case Parse(const std::string& text) {
  absl::StatusOr<Case> result = ParseCase(text);
  if (result.ok()) return *std::move(result);
  std::fprintf(stderr, "a sample does not parse: %s\n%s\n", result.status().ToString().c_str(),
               text.c_str());
  std::abort();
}

// Made without the parser, so that an error of the parser cannot hide one of the printer.
Case Built() {
  namespace b = build;
  Case result;
  result.set_version(1);
  result.mutable_schedule();
  Function* f = result.mutable_module()->add_functions();
  f->set_name("built");
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t y = b::AddVariable(f, "y", F32);
  const uint32_t a = b::AddBuffer(f, "A", F32, {b::I32Const(8)});
  b::AddBufferParam(f, a);
  Expr sum = b::Binary(ADD, b::Load(*f, a, {b::Var(*f, i)}), b::Float(F32, 0.1));
  Expr let = b::Let(y, sum, b::Binary(MUL, b::Var(*f, y), b::Var(*f, y)));
  Expr product = b::Binary(SUB, let, b::Binary(SUB, sum, b::Binary(SUB, sum, sum)));
  *f->add_body() = b::For(i, b::I32Const(0), b::I32Const(8), UNROLLED,
                          {b::Store(a, product, {b::Var(*f, i)}),
                           b::If(b::BoolConst(true), {b::Evaluate(b::Var(*f, i))})});
  return result;
}

}  // namespace

Case WithBody(const std::string& body) {
  std::string text = kAroundBody;
  constexpr std::string_view kPlace = "BODY";
  return Parse(text.replace(text.find(kPlace), kPlace.size(), body));
}

std::vector<Sample> All() {
  std::vector<Sample> result;
  result.push_back({"expressions", Parse(kExpressions)});
  result.push_back({"statements", Parse(kStatements)});
  result.push_back({"blocks", Parse(kBlocks)});
  result.push_back({"names", Parse(kNames)});
  result.push_back({"built", Built()});
  result.push_back({"lifted", Parse(kLifted), true});
  return result;
}

}  // namespace irate::samples
