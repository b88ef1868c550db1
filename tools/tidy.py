#!/usr/bin/env python3
"""clang-tidy over every source; exit 1 on any finding (with --report: 0).

  tools/tidy.py            all of src/ with the headers that it includes
  tools/tidy.py --product  without tests and without the checks that want every source alone, as script/test runs it
  tools/tidy.py FILE...    these sources, each by itself with every check

clang-tidy spends nearly all of its time on the declarations of the standard library and of GoogleTest, once a file and
check. So sources are joined, as a unity build joins them, and the checks run once over each unit. Two checks want every
source by itself (ALONE). Sources whose local names collide go into different units; a source that cannot be joined is
looked at alone with every check. All sources are looked at in every run: nothing is kept between runs.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The first judges the main file only. The second looks for every use of every function in the whole unit: 45 % of the
# time of a unit of 13 sources, 5 % of the time of these sources alone.
ALONE = ("misc-include-cleaner", "performance-unnecessary-value-param")
ALONE_CHECKS = ",".join(("-*", *ALONE))
UNIT_CHECKS = ",".join("-" + check for check in ALONE)
UNIT_FILES = 16  # larger units save little, and leave the last process alone with its unit
HEADER_FILTER = r"--header-filter=.*/(src|include|test_support)/.*\.(h|hpp|cpp)$"
FINDING = re.compile(r"^(/\S+?):(\d+):(\d+): (?:warning|error): ")

Job = collections.namedtuple("Job", "sources flags main checks")  # `main`: the file that clang-tidy opens


def flags_of(command):
    """The flags of a compile command: without the compiler and what starts it, the input and the output."""
    words = shlex.split(command["command"])
    first = next(i for i, word in enumerate(words) if pathlib.PurePath(word).name.startswith(("clang++", "g++")))
    flags, skip = [], False
    for word in words[first + 1:]:
        if not skip and word not in ("-o", "-c", command["file"]):
            flags.append(word)
        skip = word == "-o"
    return tuple(flags)


def local_names(text):
    """Names that a source keeps to itself: macros, tests, and what stands in its unnamed namespaces. Sources are
    formatted, so that members of a namespace begin in the first column."""
    names, inside = set(), False
    for line in text.splitlines():
        if macro := re.match(r"#define (\w+)", line):
            names.add(macro.group(1))
        elif test := re.match(r"TEST\w*\((\w+, \w+)\)", line):
            names.add(test.group(1))
        elif line == "namespace {":
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif inside and re.match(r"[A-Za-z\[]", line):
            head = re.split(r"[({=;:\[]", re.sub(r"\[\[\w+\]\]|\w+::|<.*>|\bfinal\b", " ", line))[0]
            if words := re.findall(r"\w+", head):
                names.add(words[-1])
    return names


def is_shared(flag):
    """Definitions and folders of includes: sources of one unit get those of all."""
    return flag.startswith(("-D", "-I"))


def units_of(sources):
    """Pairs (flags, sources) that can be read as one source. `sources`: path -> flags."""
    units = []
    for path in sorted(sources):
        names = local_names(path.read_text())
        kind = [flag for flag in sources[path] if not is_shared(flag)]
        for unit in units:
            if unit["kind"] == kind and len(unit["sources"]) < UNIT_FILES and not unit["names"] & names:
                break
        else:
            unit = {"kind": kind, "names": set(), "sources": [], "shared": set()}
            units.append(unit)
        unit["names"] |= names
        unit["shared"] |= {flag for flag in sources[path] if is_shared(flag)}
        unit["sources"].append(path)
    return [(tuple(unit["kind"] + sorted(unit["shared"])), unit["sources"]) for unit in units]


def joins(path):
    """Kernels do not: Highway includes them again for each instruction set."""
    return '-inl.h"' not in path.read_text()


def jobs_for(sources, folder, alone):
    """The units, then what is looked at alone: the short jobs come last, so that no process waits for long."""
    joined = {path: flags for path, flags in sources.items() if joins(path)}
    jobs = []
    for number, (flags, paths) in enumerate(units_of(joined)):
        unit = folder / f"unit_{number:02}.cpp"
        includes = "".join(f'#include "{path}"\n' for path in paths)
        unit.write_text("// NOLINTBEGIN(bugprone-suspicious-include): sources are joined here on purpose\n"
                        f"{includes}// NOLINTEND(bugprone-suspicious-include)\n")
        jobs.append(Job(paths, flags, unit, UNIT_CHECKS))
    jobs += [Job([path], sources[path], path, "") for path in sorted(sources) if path not in joined]
    return jobs + [Job([path], joined[path], path, ALONE_CHECKS) for path in sorted(joined) if alone]


def run(job):
    # -w: what the compilers warn of, the builds say. The settings are found above the file: given by --config-file,
    # they would hold for the headers of the system too, and naming alone would take four seconds a file.
    command = ["clang-tidy-19", "--quiet", HEADER_FILTER, f"--checks={job.checks}", str(job.main), "--", *job.flags, "-w"]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def findings_of(output):
    """First line of a finding -> the lines below it. A header's finding comes with each unit, and counts once."""
    findings, current = {}, None
    for line in output.splitlines():
        if FINDING.match(line):
            current = findings.setdefault(line, [])
        elif current is not None:
            current.append(line)
    return findings


def look(jobs, processes):
    """All findings, and the units that do not compile, with the reason."""
    findings, broken = {}, []
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for job, (code, output, errors) in zip(jobs, pool.map(run, jobs)):
            found = findings_of(output)
            stuck = [line for line in found if "[clang-diagnostic-error" in line]
            if stuck and len(job.sources) > 1:
                broken.append((job, stuck[0]))
                continue
            if code != 0 and not found:
                found = {f"{job.main}:1:1: error: clang-tidy failed": (output + errors).splitlines()}
            findings.update(found)
    return findings, broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT, help="what to look at, with its src/")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/clang-release",
                        help="folder of compile_commands.json")
    parser.add_argument("--product", action="store_true", help="without tests, joined sources only: a third of the time")
    parser.add_argument("--report", action="store_true", help="print findings, exit 0")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    started, tree, build = time.monotonic(), options.tree.resolve(), options.build.resolve()
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = {pathlib.Path(command["file"]): flags_of(command) for command in commands}
    sources = {path: flags for path, flags in sources.items() if path.is_relative_to(tree / "src") and path.exists()}
    if options.files:
        chosen = [path.resolve() for path in options.files]
        if unknown := [path for path in chosen if path not in sources]:
            parser.error(f"no source of {build}: {', '.join(map(str, unknown))}")
        jobs = [Job([path], sources[path], path, "") for path in chosen]
    else:
        folder = build / "tidy"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if options.product:
            sources = {path: flags for path, flags in sources.items() if not path.stem.endswith("_test")}
        jobs = jobs_for(sources, folder, not options.product)
    findings, broken = look(jobs, options.j)
    again = [Job([path], job.flags, path, UNIT_CHECKS) for job, _ in broken for path in job.sources]
    findings.update(look(again, options.j)[0])
    said = ["\n".join([finding, *findings[finding]]) for finding in sorted(findings)]
    said += [f"tidy: {len(job.sources)} sources do not compile as one and were looked at alone, at ten times the cost; "
             f"rename what collides: {reason}" for job, reason in broken]
    print("\n".join(said).replace(f"{ROOT}/", ""), end="\n" if said else "")
    units = [job for job in jobs if len(job.sources) > 1]
    print(f"tidy: {len(findings)} findings in {len({path for job in jobs for path in job.sources})} sources, "
          f"{sum(len(unit.sources) for unit in units)} of them joined to {len(units)} units; "
          f"{time.monotonic() - started:.0f} s")
    return 1 if findings and not options.report else 0


if __name__ == "__main__":
    sys.exit(main())
