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
    def main(C0: T.Buffer((2,), "int32")):
        for i0 in T.vectorized(2):
            L1 = T.alloc_buffer((1,), "int32")
            L1[0] = i0
            C0[i0] = L1[0]

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([30, -58], "int32"))]
lib["main"](*args)
got, want = args[0].numpy(), np.array([0, 1], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
