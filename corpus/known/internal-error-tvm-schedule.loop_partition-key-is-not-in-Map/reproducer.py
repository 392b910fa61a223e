# KeyError in schedule.loop_partition: key is not in Map
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((10, 3), "int32"), C: T.Buffer((10, 3), "int32")):
        # with T.sblock("root"):
        for i in range(10):
            with T.sblock("b"):
                v = T.axis.spatial(10, i)
                T.reads(A[v, 0:3])
                T.writes(C[v, 0:3])
                for k in range(3):
                    C[v, k] = A[v, k] * 2

try:
    sch = tvm.s_tir.Schedule(Module)
    sch.work_on("main")
    sch.loop_partition(sch.get_loops("b")[0], [4, None], True)
except Exception as error:
    print(error)
    sys.exit(1 if "key is not in Map" in str(error) else 2)
print("no error")
