# tirx.transform.UnrollLoop changes a result from 19 to 0
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((4,), "int32")):
        for i, k in T.grid(20, 4):
            if k == 2:
                T.break_loop()
            C[k] = i

with tvm.transform.PassContext(config={"tirx.UnrollLoop": {"auto_max_step": 16}}):
    lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind":"llvm"}))
    
args = [tvm.runtime.tensor(np.array([46, -23, 20, -5], "int32"))]
lib["main"](*args)
got, want = args[0].numpy(), np.array([19, 19, 20, -5], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
