"""Holds irate's pass pipeline for TVM against the one in the wheel, which is Python.

For each configuration that tvm_pipeline_dump reports, tvm.tirx.build runs the program that irate
lowered, and

* the passes that it ran are those that irate names, in order;
* the module that it gives to code generation prints as irate's does.

Usage: pipeline_test.py path/to/tvm_pipeline_dump
"""

import difflib
import json
import re
import subprocess
import sys

import tvm
from tvm import tirx

# TVM 0.27 prints T.uint64(2**64 - 1) and does not parse it.
UNPARSABLE = ("WideConstants",)

# What tvm.tirx.build wraps around the passes themselves.
WRAPPERS = ("sequential", "_pipeline", "tirx.Filter")


@tvm.instrument.pass_instrument
class Recorder:
    """The passes that run, without those that one of them runs itself."""

    def __init__(self):
        self.names = []
        self.running = []

    def run_before_pass(self, _module, info):
        if all(name in WRAPPERS for name in self.running) and info.name not in WRAPPERS:
            self.names.append(info.name)
        self.running.append(info.name)

    def run_after_pass(self, _module, _info):
        self.running.pop()


def lower_with_wheel(module, config):
    """The names of the passes that tvm.tirx.build runs, and the module that it builds."""
    recorder = Recorder()
    built = []

    def take_module(mod, _target):
        built.append(mod)
        raise StopBuild()

    class StopBuild(Exception):
        pass

    original = tvm.get_global_func("target.build.llvm")
    tvm.register_global_func("target.build.llvm", take_module, override=True)
    try:
        with tvm.transform.PassContext(config=config, instruments=[recorder]):
            tirx.build(module, target="llvm")
    except Exception as error:  # the exception crosses the FFI and comes back as another
        if not built:
            raise error
    finally:
        tvm.register_global_func("target.build.llvm", original, override=True)
    return recorder.names, built[0]


def parse(script):
    return tvm.script.from_source(script, check_well_formed=False)


def normalise(script):
    # The numbers that InstrumentProfileIntrinsics gives count on from module to module.
    return re.sub(r"_profile_intrinsic\(\d+\)", "_profile_intrinsic(n)", script)


def difference(expected, actual):
    lines = difflib.unified_diff(
        expected.splitlines(), actual.splitlines(), "wheel", "irate", lineterm="", n=1
    )
    return "\n".join(list(lines)[:40])


def main():
    dump = json.loads(subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE).stdout)
    failures = 0
    checks = 0
    for entry in dump:
        for program in entry["programs"]:
            if program["name"] in UNPARSABLE:
                continue
            where = f"{program['name']} with {entry['config']}"
            names, module = lower_with_wheel(parse(program["lowered"]), entry["config"])
            checks += 1
            if names != entry["passes"]:
                failures += 1
                print(f"{where}: the wheel runs other passes\n", end="")
                print(difference("\n".join(names), "\n".join(entry["passes"])))
            wheel = normalise(module.script())
            irate = normalise(program["final"])
            if wheel != irate:
                failures += 1
                print(f"{where}: another result\n{difference(wheel, irate)}")
    print(f"{checks} comparisons, {failures} differences")
    return 1 if failures or checks == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
