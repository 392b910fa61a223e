# s_tir.transform.LoopPartition changes a result from 4 to 20
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
    def main(C: T.Buffer((2, 2), "int32")):
        for i in range(2):
            for j in range(2 - i):
                if T.likely(i < j):
                    C[i, j] = 10
                else:
                    C[i, j] = 20


lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([7, 2, 5, 4], "int32").reshape((2, 2))),
]
lib["main"](*args)
expected = [  # argument, values, judged elements, tolerance
    (0, np.array([20, 10, 20, 4], "int32").reshape((2, 2)), True, 0),
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
