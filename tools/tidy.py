#!/usr/bin/env python3
"""clang-tidy over every source, within a time budget.

  tools/tidy.py [--build DIR] [--seconds N] [--report] [file...]

Files of the latest commits go first, then the others in an order that changes with the commit, so that what one run
had no time for comes in a later one. A file that passed is not looked at again until it, a header that it includes,
or .clang-tidy changes. Exit 1 on any finding; with --report, findings are printed and do not fail.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def git_lines(*arguments):
    result = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return result.stdout.splitlines() if result.returncode == 0 else []


def included(path, known):
    """`path` and the project's headers that it includes, directly or not."""
    if path in known:
        return
    known.add(path)
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
        for folder in (ROOT / "src", ROOT / "include", ROOT):
            if (folder / name).is_file():
                included(folder / name, known)
                break


def state_of(path):
    files = set()
    included(path, files)
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/clang-release", help="folder of compile_commands.json")
    parser.add_argument("--seconds", type=float, default=1e9, help="time budget")
    parser.add_argument("--report", action="store_true", help="print findings, exit 0")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    build = ROOT / options.build
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = {pathlib.Path(c["file"]) for c in commands}
    sources = {s for s in sources if s.is_relative_to(ROOT / "src") and s.exists()}
    if options.files:
        sources &= {pathlib.Path(f).resolve() for f in options.files}

    recent = {ROOT / name for name in git_lines("log", "-n", "20", "--name-only", "--format=")}
    head = "".join(git_lines("rev-parse", "HEAD"))
    order = sorted(sources, key=lambda s: (s not in recent, hashlib.sha256((head + str(s)).encode()).digest()))
    cache_file = build / "tidy_passed.json"
    passed = json.loads(cache_file.read_text()) if cache_file.exists() else {}
    states = {s: state_of(s) for s in order}
    todo = [s for s in order if passed.get(str(s)) != states[s]]
    deadline = time.monotonic() + options.seconds
    findings = []

    def check(source):
        if time.monotonic() > deadline:
            return source, None, ""
        result = subprocess.run(["clang-tidy-19", "--quiet", "-p", str(build), str(source)], capture_output=True, text=True)
        return source, result.returncode, result.stdout

    skipped = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for source, code, output in pool.map(check, todo):
            if code is None:
                skipped += 1
            elif code == 0:
                passed[str(source)] = states[source]
            else:
                findings.append(source)
                print(output, flush=True)
    cache_file.write_text(json.dumps(passed, indent=1, sort_keys=True))
    print(f"tidy: {len(order) - skipped - len(findings)} of {len(order)} files pass, {len(findings)} have findings, "
          f"{skipped} left for a later run")
    return 1 if findings and not options.report else 0


if __name__ == "__main__":
    sys.exit(main())
