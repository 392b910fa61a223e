# s_tir.transform.HoistIfThenElse changes a result from 0 to -8
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
    def main(C3: T.Buffer((2, 1, 1), "int64")):
        for i3, i4 in T.grid(2, 2):
            if i4 >= 1:
                if i3 < 1:
                    T.evaluate(0)
            else:
                C3[i3, 0, 0] = T.int64(0)


lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([0, -8], "int64").reshape((2, 1, 1))),
]
lib["main"](*args)
expected = [  # argument, values, judged elements, tolerance
    (0, np.array([0, 0], "int64").reshape((2, 1, 1)), True, 0),
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
