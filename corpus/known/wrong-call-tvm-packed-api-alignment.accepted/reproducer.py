# A tensor whose data is aligned to 4 bytes is accepted for a buffer that promises 64, and the
# generated code then stores to it with instructions that need the alignment.
# Seen with TVM 0.27.0.post1. Exits 1 while the bug is there, 0 if it is fixed, 2 if it cannot run.
import os, signal, sys, traceback
sys.excepthook = lambda *error: (traceback.print_exception(*error), os._exit(2))
import numpy as np
import tvm
import tvm_ffi
from tvm.script import ir as I, tirx as T
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((16,), "float32")):
        for i in T.vectorized(16):
            A[i] = T.float32(1)
lib = tvm.tirx.build(Module, target=tvm.target.Target({"kind": "llvm"}))
memory = np.zeros(64, "float32")
first = (-memory.ctypes.data // 4) % 16 + 1  # one element past a multiple of 64 bytes
tensor = tvm_ffi.from_dlpack(memory[first : first + 16], require_alignment=0)
child = os.fork()
if child == 0:
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    try:
        lib["main"](tensor)
    except Exception as error:
        os._exit(print(f"refused: {error}", flush=True) or 0)
    os._exit(1)
_, status = os.waitpid(child, 0)
print("accepted and run, status:", status) if status != 0 else None
sys.exit(1 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
