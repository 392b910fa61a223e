# tirx.transform.VectorizeLoop changes a result from 1 to 0
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os
import sys
import traceback

sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))

import numpy as np
import tvm
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32")):
        for i in T.vectorized(4):
            v: T.let[T.int32] = T.if_then_else(A[i] > 4, 1, 0)
            C[i] = v


lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([2, 1, 0, 3], "int32")),
    tvm.runtime.tensor(np.array([7, 2, 4, 2], "int32")),
]
lib["main"](*args)
expected = [  # argument, values, judged elements, tolerance
    (0, np.array([1, 0, 0, 0], "int32"), True, 0),
    (1, np.array([7, 2, 4, 2], "int32"), True, 0),
]

failed = False
for i, want, judged, tolerance in expected:
    got = args[i].numpy()
    nan = (got != got) & (want != want)
    wrong = judged & ~nan & (got != want)
    if np.any(tolerance):
        wrong &= ~(abs(got - want) <= tolerance)
    print(f"argument {i}\n  expected {want.tolist()}\n  actual   {got.tolist()}")
    failed |= bool(wrong.any())
sys.exit(1 if failed else 0)
