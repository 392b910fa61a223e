"""Writes LLVM IR of small TVM modules, at opt-level 0 and 3: python make_fixtures.py DIRECTORY.

One module per construct that generated code can contain: arguments of every type, symbolic shapes,
strides and offsets, workspaces, stack arrays, vectors, parallel loops, packed calls, calls between
functions, math functions.
"""

import pathlib
import sys

import tvm
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Matmul:
    @T.prim_func
    def main(
        A: T.Buffer((32, 32), "float32"),
        B: T.Buffer((32, 32), "float32"),
        C: T.Buffer((32, 32), "float32"),
    ):
        T.func_attr({"tirx.noalias": True})
        for i in T.parallel(32):
            for j in range(32):
                C[i, j] = T.float32(0)
                for k in range(32):
                    C[i, j] = C[i, j] + A[i, k] * B[k, j]


@I.ir_module
class MatmulDynamic:
    @T.prim_func
    def main(a: T.handle, b: T.handle, c: T.handle):
        T.func_attr({"tirx.noalias": True})
        n = T.int32()
        m = T.int32()
        k = T.int32()
        A = T.match_buffer(a, (n, k), "float32")
        B = T.match_buffer(b, (k, m), "float32")
        C = T.match_buffer(c, (n, m), "float32")
        for i, j in T.grid(n, m):
            C[i, j] = T.float32(0)
            for kk in range(k):
                C[i, j] = C[i, j] + A[i, kk] * B[kk, j]


@I.ir_module
class Workspace:
    @T.prim_func
    def main(A: T.Buffer((1024,), "float32"), C: T.Buffer((1024,), "float32")):
        T.func_attr({"tirx.noalias": True})
        B = T.alloc_buffer((1024,), "float32")
        for i in range(1024):
            B[i] = A[i] + T.float32(1)
        for i in range(256):
            for v in T.vectorized(4):
                C[i * 4 + v] = B[1023 - (i * 4 + v)] * T.float32(2)


@I.ir_module
class WorkspacePerTask:
    @T.prim_func
    def main(A: T.Buffer((8, 512), "float32"), C: T.Buffer((8, 512), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in T.parallel(8):
            B = T.alloc_buffer((512,), "float32")
            for j in range(512):
                B[j] = A[i, j] * T.float32(3)
            for j in range(512):
                C[i, j] = B[511 - j]


@I.ir_module
class StackArray:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        T.func_attr({"tirx.noalias": True})
        B = T.alloc_buffer((16,), "float32")
        for i in range(16):
            B[i] = T.exp(A[i])
        for i in range(16):
            C[i] = B[15 - i] + T.tanh(A[i])


@I.ir_module
class PackedCalls:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), s: T.int32):
        T.func_attr({"tirx.noalias": True})
        T.evaluate(T.call_packed("test.scalars", A.data, C.data, s, T.float32(1.5)))
        T.evaluate(
            T.tvm_call_packed(
                "test.tensor",
                T.tvm_stack_make_array(
                    A.data,
                    T.tvm_stack_make_shape(16, dtype="handle"),
                    0,
                    1,
                    T.float32(0),
                    0,
                    dtype="handle",
                ),
            )
        )
        for i in range(16):
            C[i] = A[i] + T.cast(s, "float32")


@I.ir_module
class TwoFunctions:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in range(16):
            C[i] = A[i]
        TwoFunctions.helper(A.data, C.data, 16)

    @T.prim_func(private=True)
    def helper(A: T.handle("float32"), C: T.handle("float32"), n: T.int32):
        Ab = T.decl_buffer((16,), "float32", data=A)
        Cb = T.decl_buffer((16,), "float32", data=C)
        for i in range(n):
            Cb[i] = Cb[i] + Ab[i]


@I.ir_module
class Types:
    @T.prim_func
    def main(
        a: T.Buffer((16,), "float16"),
        b: T.Buffer((16,), "bfloat16"),
        c: T.Buffer((16,), "int8"),
        d: T.Buffer((16,), "bool"),
        e: T.Buffer((16,), "int64"),
        o: T.Buffer((16,), "float32"),
        x: T.float32,
        y: T.bool,
        z: T.uint8,
    ):
        T.func_attr({"tirx.noalias": True})
        for i in range(16):
            o[i] = (
                T.cast(a[i], "float32")
                + T.cast(b[i], "float32")
                + T.cast(c[i], "float32")
                + T.Select(d[i], T.float32(1), T.float32(2))
                + T.cast(T.shift_right(e[i], T.int64(2)), "float32") * x
            )
            e[i] = T.cast(o[i], "int64") + T.cast(z, "int64")
            c[i] = T.cast(T.floordiv(e[i], T.int64(3)), "int8")
            d[i] = y


@I.ir_module
class Offset:
    @T.prim_func
    def main(a: T.handle, c: T.handle):
        T.func_attr({"tirx.noalias": True})
        off = T.int32()
        s = T.int32()
        A = T.match_buffer(
            a, (8, 16), "float32", strides=(s, 1), elem_offset=off, align=16, offset_factor=4
        )
        C = T.match_buffer(c, (8, 16), "float32")
        for i in range(8):
            for v in T.vectorized(16):
                C[i, v] = A[i, v]


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    modules = {k: v for k, v in globals().items() if isinstance(v, tvm.IRModule)}
    for name, module in modules.items():
        for level in (0, 3):
            target = tvm.target.Target({"kind": "llvm", "opt-level": level})
            built = tvm.compile(module, target=target)
            text = built.mod.inspect_source("ll")
            (directory / f"{name}.O{level}.ll").write_text(text)


if __name__ == "__main__":
    main()
