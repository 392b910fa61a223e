# An argument that does not fit into its parameter's 32 bits is cut to them without an error.
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((1,), "int32"), n: T.int32):
        A[0] = n

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind": "llvm"}))
tensor = tvm.runtime.tensor(np.array([0], "int32"))
try:
    lib["main"](tensor, 2**31)
except Exception as error:
    print(f"refused: {error}")
    sys.exit(0)
print(f"{2**31} was passed, and {tensor.numpy()[0]} arrived")
sys.exit(1)
