# s_tir.transform.LoopPartition changes a result from -58 to 0
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((2,), "int32")):
        for i in range(2):
            for j in range(2 - i):
                if T.likely(i < j):
                    T.evaluate(0)
                else:
                    C[j] = 0

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([30, -58], "int32"))]
lib["main"](*args)
got, want = args[0].numpy(), np.array([0, -58], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
