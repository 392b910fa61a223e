# s_tir.transform.LowerThreadAllreduce: two reductions into one buffer, and the second one's shared buffer is allocated nowhere
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((2, 4), "int32"), B: T.Buffer((2, 4), "int32")):
        for tx in T.thread_binding(4, thread="threadIdx.x"):
            R = T.alloc_buffer((1,), "int32", scope="local")
            for i in T.unroll(2):
                with T.attr(T.comm_reducer(lambda x, y: x + y, [0]), "reduce_scope", 0):
                    T.tvm_thread_allreduce(T.uint32(1), A[i, tx], True, R[0], tx)
                B[i, tx] = R[0]
@tvm.instrument.pass_instrument
class Watch:
    def run_after_pass(self, module, info):
        self.built = module if info.name == "tirx.SplitHostDevice" else getattr(self, "built", None)
watch = Watch()
module = tvm.tirx.transform.BindTarget(tvm.target.Target("opencl", host="llvm"))(Module)
with tvm.transform.PassContext(instruments=[watch]):
    try: tvm.tirx.get_tir_pipeline("s_tir")[0](module)
    except Exception as error: print("the pipeline fails:", str(error).splitlines()[-1])
print(watch.built.script())
kernel = next(f for g, f in watch.built.functions.items() if g.name_hint != "main")
print("parameters of the kernel, which reads A and writes B:", [p.name for p in kernel.params])
sys.exit(1 if len(kernel.params) != 2 else 0)
