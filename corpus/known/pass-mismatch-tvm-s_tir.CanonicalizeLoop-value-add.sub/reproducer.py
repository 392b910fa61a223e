# s_tir.transform.CanonicalizeLoop changes a result from 1 to -58
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((6,), "int32")):
        for i in range(1, 4):
            for j in range(1, 1 + i):
                C[i + j - 1] = i

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([30, -58, -31, 30, 57, 1], "int32"))]
lib["main"](*args)
got, want = args[0].numpy(), np.array([30, 1, 2, 3, 3, 3], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
