# KeyError in schedule.read_at: key is not in Map
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
from tvm.script import ir as I, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A_handle: T.handle, C_handle: T.handle):
        n = T.int32()
        # with T.sblock("root"):
        A = T.match_buffer(A_handle, (n,), "int32")
        C = T.match_buffer(C_handle, (3, n), "int32")
        for r, i in T.grid(3, n):
            with T.sblock("b"):
                u, v = T.axis.remap("SS", [r, i])
                T.reads(A[v])
                T.writes(C[u, v])
                C[u, v] = A[v] * 2

try:
    sch = tvm.s_tir.Schedule(Module)
    sch.work_on("main")
    sch.read_at(sch.get_loops("b")[0], sch.get_sblock("b"), 0, "local")
except Exception as error:
    print(error)
    sys.exit(1 if "key is not in Map" in str(error) else 2)
print("no error")
