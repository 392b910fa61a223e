# schedule.loop_partition changes a result from -48 to 8
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((10,), "int32"), C: T.Buffer((10,), "int32")):
        for i in range(3, 13):
            with T.sblock("b"):
                v = T.axis.spatial(10, i - 3)
                T.reads(A[v])
                T.writes(C[v])
                C[v] = A[v] * 2

sch = tvm.s_tir.Schedule(Module)
sch.work_on("main")
sch.loop_partition(sch.get_loops("b")[0], [4, None], True)
lib = tvm.tirx.build(sch.mod, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([62, -3, 6, -48, -27, -64, 10, -24, -33, 36], "int32")), tvm.runtime.tensor(np.array([32, 0, 62, 62, -64, 2, 27, 8, 28, 46], "int32"))]
lib["main"](*args)
got, want = args[1].numpy(), np.array([124, -6, 12, -96, -54, -128, 20, -48, -66, 72], "int32")
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
