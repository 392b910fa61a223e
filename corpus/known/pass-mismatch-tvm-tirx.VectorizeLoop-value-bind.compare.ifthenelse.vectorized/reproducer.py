# tirx.transform.VectorizeLoop changes a result from 0 to 1
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((2,), "int32"), A: T.Buffer((2,), "int32")):
        for i in T.vectorized(2):
            v: T.let[T.int32] = T.if_then_else(A[i] > 0, 1, 0)
            C[i] = v

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [
    tvm.runtime.tensor(np.array([30, -58], "int32")),
    tvm.runtime.tensor(np.array([0, 6], "int32")),
]
lib["main"](*args)
got, want = args[0].numpy(), np.array([0, 1], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
