#!/usr/bin/env python3
"""Every header compiles alone.

A header whose own source includes it first is proven by the build; the others are compiled here, each by itself.
Exit 1 when one does not compile, or when a source does not include its own header first.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I", str(ROOT / "src"), "-I",
            str(ROOT / "include"), "-I", str(ROOT)]


def first_include(source):
    match = re.search(r'^#include [<"]([^>"]+)[>"]', source.read_text(), re.M)
    return match.group(1) if match else ""


def compile_alone(header, folder):
    name = header.relative_to(ROOT).as_posix()
    for root in ("src/", "include/"):
        name = name.removeprefix(root)
    source = pathlib.Path(folder) / (name.replace("/", "_") + ".cpp")
    source.write_text(f'#include "{name}"\n#include "{name}"\n')  # twice: it must guard itself
    result = subprocess.run(COMPILER + [str(source)], capture_output=True, text=True)
    return header, result.returncode, result.stderr


def main():
    headers = [h for folder in ("src", "include", "test_support") for h in sorted((ROOT / folder).rglob("*.h*"))
               if not h.name.endswith("-inl.h")]  # -inl.h files are included once for each SIMD target
    alone, problems = [], []
    for header in headers:
        source = header.with_suffix(".cpp")
        if not source.exists():
            alone.append(header)
        elif first_include(source) != header.relative_to(ROOT).as_posix().removeprefix("src/"):
            alone.append(header)
            if "foreach_target" not in source.read_text():
                problems.append(f"{source.relative_to(ROOT)}:1: its own header must be its first include")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for header, code, errors in pool.map(lambda h: compile_alone(h, folder), alone):
            if code != 0:
                problems.append(f"{header.relative_to(ROOT)}:1: does not compile alone:\n{errors}")
    print("\n".join(problems) if problems else f"headers: {len(headers)} stand alone ({len(alone)} compiled here)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
