# A tensor of 4294967300 elements is accepted for a buffer of 4: extents are compared in 32 bits.
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
import tvm_ffi
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4,), "int8")):
        for i in range(4):
            A[i] = T.int8(1)

lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind": "llvm"}))
# Address space only: no page of it but the first is touched. One read-only file would do as well.
memory = np.lib.stride_tricks.as_strided(np.zeros(64, "int8"), shape=(2**32 + 4,), strides=(1,))
tensor = tvm_ffi.from_dlpack(memory, require_alignment=0)
try:
    lib["main"](tensor)
except Exception as error:
    print(f"refused: {error}")
    sys.exit(0)
print(f"a tensor of shape {tensor.shape} was accepted for a buffer of 4 elements")
sys.exit(1)
