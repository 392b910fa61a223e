# tirx.transform.VectorizeLoop changes a result from 0 to 5
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((16,), "int32"), A: T.Buffer((16,), "int32")):
        for i in T.vectorized(4):
            C[i * 4:i * 4 + 2] = A[T.Ramp(i * 4, 1, 2)]

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([2, 1, 0, 3, 3, 0, 3, 1, 3, 2, 0, 1, 0, 3, 1, 3], "int32")),
    tvm.runtime.tensor(np.array([1, 2, 5, 8, 6, 6, 6, 6, 5, 9, 5, 3, 2, 2, 1, 6], "int32")),
]
lib["main"](*args)
got, want = args[0].numpy(), np.array([1, 2, 0, 3, 6, 6, 3, 1, 5, 9, 0, 1, 2, 2, 1, 3], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
