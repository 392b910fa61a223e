# tirx.transform.AnnotateEntryFunc changes its input
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
import tvm_ffi
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((1,), "int32")):
        A[0] = 1

before = tvm_ffi.structural_hash(Module, map_free_vars=True)
tvm.tirx.transform.AnnotateEntryFunc()(Module)
after = tvm_ffi.structural_hash(Module, map_free_vars=True)
print("hash of the module given to the pass, before:", before, "after:", after)
sys.exit(1 if before != after else 0)
