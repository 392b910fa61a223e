"""The peer of `irate bench throughput`: the same Cases through the wheel, from Python.

Reads a file with one JSON object a line: {"script", "entry", "args": [{"shape", "dtype", "data"}]}
after a first line with {"passes": [[name, [arguments]]]}; prints one JSON object with what it took.
Loading TVM is not counted, nor is reading TVMScript: a Python fuzzer would have made the module
itself.
"""

import base64
import json
import sys
import time

import ml_dtypes
import numpy as np
import tvm
import tvm_ffi


def make_argument(argument):
    dtype = getattr(ml_dtypes, argument["dtype"], None) or np.dtype(argument["dtype"])
    data = np.frombuffer(base64.b64decode(argument["data"]), dtype)
    if argument["scalar"]:
        return data[0].item()
    return tvm.runtime.tensor(data.reshape(argument["shape"]).copy())


def run_case(case, passes, target, context):
    """Seconds for the passes, and for everything."""
    module = tvm.script.from_source(case["script"], check_well_formed=False)
    arguments = [make_argument(argument) for argument in case["args"]]
    start = time.perf_counter()
    with context:
        for make in passes:
            after = make()(module)
            tvm_ffi.structural_equal(module, after)
            module = after
        passed = time.perf_counter()
        built = tvm.get_global_func("target.build.llvm")(module, target)
    built[case["entry"]](*arguments)
    for argument in arguments:
        if isinstance(argument, tvm.runtime.Tensor):
            argument.numpy()
    return passed - start, time.perf_counter() - start


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        header, *cases = (json.loads(line) for line in file)
    target = tvm.target.Target({"kind": "llvm"})
    bound = target.with_host(target)

    def maker(name, arguments):
        function = tvm.get_global_func(name)
        if name.endswith(".BindTarget"):
            return lambda: function(bound)
        if name.endswith(".VerifyVTCMLimit") and not arguments:
            return lambda: function(None)  # the target is that of the functions
        return lambda: function(*arguments)

    passes = [maker(name, arguments) for name, arguments in header["passes"]]
    result = {"cases": 0, "refused": 0, "pass_seconds": 0.0, "seconds": 0.0, "errors": {}}
    warm = False
    for case in cases if not cases else [cases[0], *cases]:
        try:
            spent = run_case(case, passes, target, tvm.transform.PassContext())
        except Exception as error:  # a Case of the mix that this way does not take
            if warm:
                result["refused"] += 1
                kind = f"{type(error).__name__}: {str(error)[:80]}"
                result["errors"][kind] = result["errors"].get(kind, 0) + 1
            warm = True
            continue
        if warm:
            result["cases"] += 1
            result["pass_seconds"] += spent[0]
            result["seconds"] += spent[1]
        warm = True
    print(json.dumps(result))


if __name__ == "__main__":
    main()
