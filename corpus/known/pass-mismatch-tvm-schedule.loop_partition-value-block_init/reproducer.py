# schedule.loop_partition changes a result from -10 to -69
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((5, 5), "int32"), C: T.Buffer((5,), "int32")):
        for i, k in T.grid(5, 5):
            with T.sblock("b"):
                v, vk = T.axis.remap("SR", [i, k])
                T.reads(A[v, vk])
                T.writes(C[v])
                with T.init():
                    C[v] = 0
                C[v] = C[v] + A[v, vk]

sch = tvm.s_tir.Schedule(Module)
sch.work_on("main")
sch.loop_partition(sch.get_loops("b")[1], [2, None], True)
lib = tvm.tirx.build(sch.mod, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([62, -3, 6, -48, -27, -64, 10, -24, -33, 36, 16, -13, -64, -29, -63, 51, -62, 46, 3, 53, -47, 42, 15, -13, -24], "int32").reshape((5, 5))), tvm.runtime.tensor(np.array([32, 0, 62, 62, -64], "int32"))]
lib["main"](*args)
got, want = args[1].numpy(), np.array([-10, -75, -153, 91, -27], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
