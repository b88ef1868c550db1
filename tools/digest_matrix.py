#!/usr/bin/env python3
"""The determinism gate: digests of every shipped recipe, computed in many ways, against the golden file.

  tools/digest_matrix.py            every pair of {build, instruction set, workers, pruned, place, denormals} at least once
  tools/digest_matrix.py --full     every combination
  tools/digest_matrix.py --builds release,debug      only these builds
  tools/digest_matrix.py --update   pins the digests of the release build, scalar, one worker, unpruned

On a mismatch it prints where the values first differ, as hex floats. Exit 1 when anything differs.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "test_support/golden/digests.json"
PLACES = {"origin": "0,0", "far": "10000000,10000000", "negative": "-2050,-1030"}
BUILDS = ["release", "clang-release", "debug", "clang-debug"]
REFERENCE = {"build": "release", "simd": "scalar", "workers": 1, "pruned": False, "flush": False}
Run = collections.namedtuple("Run", "build simd workers pruned place flush")


def program(build):
    return ROOT / "build" / build / "voxelforge"


def command(world, run):
    line = [str(program(run.build)), "digest", world, "--simd", run.simd, "-j", str(run.workers)]
    line.append(f"--at={PLACES[run.place]}")
    if not run.pruned:
        line.append("--unpruned")
    if run.flush:
        line.append("--flush-denormals")
    return line


def digests(world, run):
    """Every digest in the output, by its path in the JSON."""
    result = subprocess.run(command(world, run) + ["--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        return {"failed": f"exit {result.returncode}: {result.stderr.strip()}"}
    found = {}

    def walk(value, path):
        if isinstance(value, dict):
            for key in value:
                walk(value[key], f"{path}.{key}" if path else key)
        elif isinstance(value, list):
            for i, item in enumerate(value):
                walk(item, f"{path}[{i}]")
        elif isinstance(value, str) and re.fullmatch(r"[0-9a-f]{32}", value):
            found[path] = value

    walk(json.loads(result.stdout), "")
    return found or {"failed": "no digest in the output"}


def pairwise(factors):
    """Few rows that hold every pair of values of every two factors (greedy, always the same)."""
    names = list(factors)
    wanted = {(a, va, b, vb) for a, b in itertools.combinations(names, 2) for va in factors[a] for vb in factors[b]}
    everything = [dict(zip(names, values)) for values in itertools.product(*factors.values())]

    def pairs_of(row):
        return {(a, row[a], b, row[b]) for a, b in itertools.combinations(names, 2)}

    rows = []
    while wanted:
        best = max(everything, key=lambda row: len(pairs_of(row) & wanted))
        rows.append(best)
        wanted -= pairs_of(best)
    return rows


def instruction_sets():
    """What this machine has, from weakest to strongest."""
    flags = set(re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M).group(1).split())
    need = {"scalar": set(), "sse4": {"sse4_2"}, "avx2": {"avx2", "fma"}, "avx512": {"avx512f", "avx512vl", "avx512bw", "avx512dq"}}
    return [name for name, wanted in need.items() if wanted <= flags]


def first_difference(world, run):
    """The engine's own comparison of the run with the reference."""
    with tempfile.TemporaryDirectory() as folder:
        dump = str(pathlib.Path(folder) / "reference.dump")
        reference = Run(place=run.place, **REFERENCE)
        subprocess.run(command(world, reference) + ["--dump", dump], capture_output=True, stdin=subprocess.DEVNULL)
        result = subprocess.run(command(world, run) + ["--compare", dump], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return (result.stdout + result.stderr).strip()


def update(worlds):
    golden = {w: {place: digests(w, Run(place=place, **REFERENCE)) for place in PLACES} for w in worlds}
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")
    failed = [w for w in golden for p in PLACES if "failed" in golden[w][p]]
    print(f"digests: pinned {len(golden)} worlds" + "".join(f"\n{w}: {golden[w]}" for w in failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--builds", type=lambda text: text.split(","), default=BUILDS)
    parser.add_argument("worlds", nargs="*", help="default: every shipped type")
    options = parser.parse_args()
    worlds = options.worlds or [f"type:{p.stem}" for p in sorted((ROOT / "worlds/types").glob("*.toml"))]
    if options.update:
        return update(worlds)

    golden = json.loads(GOLDEN.read_text())
    missing = [w for w in worlds if w not in golden]
    if missing:
        print(f"digests: not pinned: {', '.join(missing)} (tools/digest_matrix.py --update)")
        return 1
    absent = [b for b in options.builds if not program(b).exists()]
    if absent:
        print(f"digests: no program in build/{', build/'.join(absent)}")
        return 1
    factors = {"build": options.builds, "simd": instruction_sets(), "workers": [1, 2, 8], "pruned": [True, False],
               "place": list(PLACES), "flush": [False, True]}
    rows = [dict(zip(factors, v)) for v in itertools.product(*factors.values())] if options.full else pairwise(factors)
    jobs = [(world, Run(**row)) for world in worlds for row in rows]
    differing = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (world, run), found in zip(jobs, pool.map(lambda job: digests(*job), jobs)):
            if found != golden[world][run.place]:
                differing.append((world, run))
                print(f"{world}: {' '.join(command(world, run)[3:])} in build/{run.build}:\n  {found}\n  golden: {golden[world][run.place]}")
    for world, run in differing[:5]:
        print(f"\n{world}, {run}: first differences from the reference\n{first_difference(world, run)}")
    print(f"digests: {len(jobs)} runs of {len(worlds)} worlds over {', '.join(factors['simd'])}: {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
