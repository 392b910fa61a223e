# tirx.transform.SplitHostDevice: a kernel whose buffers have a shape of a variable that it does not define
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(a: T.handle, b: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (9, n), "int32")
        B = T.match_buffer(b, (9, n), "int32")
        for bx in T.thread_binding(9, thread="blockIdx.x"):
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                if tx < n:
                    B[bx, tx] = A[bx, tx]
@tvm.instrument.pass_instrument
class Watch:
    def run_after_pass(self, module, info):
        self.built = module if info.name == "tirx.SplitHostDevice" else getattr(self, "built", None)
watch = Watch()
module = tvm.tirx.transform.BindTarget(tvm.target.Target("opencl", host="llvm"))(Module)
with tvm.transform.PassContext(instruments=[watch]):
    tvm.tirx.get_tir_pipeline("s_tir")[0](module)
print(watch.built.script())
fine = tvm.tirx.analysis.verify_well_formed(watch.built, assert_mode=False)
print("after:", fine)
sys.exit(0 if fine else 1)
