# tvm dies in schedule.loop_partition: SIGSEGV.libtvm_compiler.so.tvm::s_tir::LoopPartition.libtvm_compiler.so
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, signal, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import tvm
from tvm.script import ir as I, tirx as T
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((10,), "int32"), C: T.Buffer((10,), "int32")):
        T_1 = T.sblock_alloc_buffer((10,), "int32")
        for i in range(10):
            with T.sblock("p"):
                v = T.axis.spatial(10, i); T_1[v] = A[v] + 1
        for j in range(10):
            with T.sblock("c"):
                w = T.axis.spatial(10, j); C[w] = T_1[w] * 2
child = os.fork()
if child == 0:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(30)
    sch = tvm.s_tir.Schedule(Module)
    sch.compute_at(sch.get_sblock("p"), sch.get_loops("c")[0], True, -1)
    sch.loop_partition(sch.get_loops("c")[0], [4, None], True)
    os._exit(0)
_, status = os.waitpid(child, 0)
if os.WIFSIGNALED(status):
    number = os.WTERMSIG(status)
    print("no answer" if number == signal.SIGALRM else signal.Signals(number).name)
    sys.exit(1)
sys.exit(0 if status == 0 else 2)
