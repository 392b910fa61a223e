"""Prints what ClusterFuzz makes of a report: its type, its state and the frames, one a line.

Usage: clusterfuzz_parse.py FILE, with the PyPI package `clusterfuzz` (scripts/install-clusterfuzz).
"""
import sys

from clusterfuzz import stacktraces

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
parser = stacktraces.StackParser(symbolized=True, detect_ooms_and_hangs=True, detect_v8_runtime_errors=False,
                                 include_ubsan=True)
info = parser.parse(text)
print("type:", info.crash_type.replace("\n", " "))
print("state:", "|".join(info.crash_state.strip().split("\n")))
for frame in info.frames[0] if info.frames else []:
    print("frame:", frame.function_name)
