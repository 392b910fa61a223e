# schedule.transform_layout changes a result from 5 to 62
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((2, 3), "int32")):
        for i, j in T.grid(2, 3):
            with T.sblock("b"):
                v, w = T.axis.remap("SS", [i, j])
                T.reads()
                T.writes(C[v, w])
                C[v, w] = v * 10 + w + 5

sch = tvm.s_tir.Schedule(Module)
sch.work_on("main")
sch.cache_write(sch.get_sblock("b"), 0, "local")
sch.compute_at(sch.get_sblock("b"), sch.get_loops("C_local")[0], False, -2)
sch.transform_layout(sch.get_sblock("b"), ("write", 0), lambda i0, i1: [i1 % 2, i0, i1 // 2], pad_value=T.int32(1))
lib = tvm.tirx.build(sch.mod, target=tvm.target.Target({"kind":"llvm"}))
args = [tvm.runtime.tensor(np.array([62, -3, 6, -48, -27, -64], "int32").reshape((2, 3)))]
lib["main"](*args)
got, want = args[0].numpy(), np.array([5, 6, 7, 15, 16, 17], "int32").reshape((2, 3))
print(f"expected {want.tolist()}\nactual   {got.tolist()}")
sys.exit(1 if ((got != want) & ((got == got) | (want == want))).any() else 0)
