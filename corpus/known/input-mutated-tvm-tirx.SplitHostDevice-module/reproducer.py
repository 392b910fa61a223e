# tirx.transform.SplitHostDevice changes its input
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
import tvm_ffi
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4,), "int32")):
        for tx in T.thread_binding(4, thread="threadIdx.x"):
            A[tx] = 1

module = tvm.tirx.transform.BindTarget(tvm.target.Target("opencl", host="llvm"))(Module)
module = tvm.s_tir.transform.LowerOpaqueBlock()(tvm.s_tir.transform.UnifyThreadBinding()(module))
before = tvm_ffi.structural_hash(module, map_free_vars=True)
functions = [g.name_hint for g in module.get_global_vars()]
tvm.tirx.transform.SplitHostDevice()(module)
after = tvm_ffi.structural_hash(module, map_free_vars=True)
print("functions of the module given to the pass, before:", functions, "after:", [g.name_hint for g in module.get_global_vars()])
sys.exit(1 if before != after else 0)
