# s_tir.transform.RenormalizeSplitPattern changes a result from -2 to 0
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

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
got, want = args[1].numpy(), np.array([0, 0, 0, -2], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
