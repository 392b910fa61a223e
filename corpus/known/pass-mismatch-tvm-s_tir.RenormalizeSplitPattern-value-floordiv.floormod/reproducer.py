# s_tir.transform.RenormalizeSplitPattern changes a result from -2 to 0
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
    def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
        for i in range(4):
            C[i] = A[i] % 4 // -2


lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([-52, 0, 52, 63], "int32")),
    tvm.runtime.tensor(np.array([1, 1, -35, -33], "int32")),
]
lib["main"](*args)
expected = [  # argument, values, judged elements, tolerance
    (0, np.array([-52, 0, 52, 63], "int32"), True, 0),
    (1, np.array([0, 0, 0, -2], "int32"), True, 0),
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
