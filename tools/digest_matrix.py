#!/usr/bin/env python3
"""The determinism gate: digests of every shipped recipe, computed in many ways, against the golden file.

  tools/digest_matrix.py            every pair of {build, instruction set, workers, pruned, place, denormals} at least once
  tools/digest_matrix.py --full     every combination
  tools/digest_matrix.py --builds release,debug      only these builds
  tools/digest_matrix.py --update   pins the digests of the release build, scalar, one worker, unpruned; refuses what
                                    changed without its version
  tools/digest_matrix.py --controls the fault of negative control 15: a recipe changed without its version must be found

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


def unversioned(pinned, found):
    """What moved though its origin (evaluator, seed, id, versions, parameters) is the pinned one."""
    moved = []
    for key, origin in pinned.items():
        stratum, dot, name = key.rpartition(".")
        if name != "origin" or found.get(key) != origin:
            continue
        moved += [f"{stratum}{dot}{k}" for k in ("density", "identity")
                  if pinned.get(f"{stratum}.{k}", found.get(f"{stratum}.{k}")) != found.get(f"{stratum}.{k}")]
    return moved


def update(worlds, everything):
    old = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    golden = {w: {place: digests(w, Run(place=place, **REFERENCE)) for place in PLACES} for w in worlds}
    failed = [f"{w}: {golden[w][p]}" for w in golden for p in PLACES if "failed" in golden[w][p]]
    failed += [f"{w}, {p}: {', '.join(moved)} moved, but no version did; raise the recipe's version or layout_version, "
               "or kEvaluatorVersion" for w in golden for p in PLACES if (moved := unversioned(old.get(w, {}).get(p, {}), golden[w][p]))]
    if failed:
        print("digests: nothing pinned\n" + "\n".join(failed))
        return 1
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text(json.dumps(golden if everything else {**old, **golden}, indent=1, sort_keys=True) + "\n")
    print(f"digests: pinned {len(golden)} worlds")
    return 0


CONTROL_RECIPE = """[type]
id = "control"
version = 1
layout_version = 1
height_m = 24
[field]
ground = "8 + 2*perlin2(24)"
phi = "min(min(heightfield(ground), 20 - z), features.stones)"
[features.stones]
kind = "scatter"
pitch = 16
jitter = 0.5
ground = "ground"
shape = "sphere(px, py, pz, r)"
extent = ["r", "r"]
extent_z = ["-r", "r"]
[features.stones.values]
r = "1 + u1"
[[materials]]
name = "moss"
weight = "1"
color = "#5E7A3A"
"""
# Name, what is changed, whether the gate must be red.
CONTROLS = [
    ("nothing", [], False),
    ("a formula without its version", [("2*perlin2", "3*perlin2")], True),
    ("a formula with its version", [("2*perlin2", "3*perlin2"), ("\nversion = 1", "\nversion = 2")], False),
    ("places without their version", [("pitch = 16", "pitch = 17")], True),
    ("places with their version", [("pitch = 16", "pitch = 17"), ("layout_version = 1", "layout_version = 2")], False),
    ("a value of the places without its version", [("1 + u1", "1 + u2")], True),
    ("the palette", [("#5E7A3A", "#6B5640")], False),
]


def controls():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder) / "control.toml"
        run = Run(place="origin", **REFERENCE)
        recipe.write_text(CONTROL_RECIPE)
        pinned = digests(str(recipe), run)
        for name, changes, red in CONTROLS:
            text = CONTROL_RECIPE
            for old, new in changes:
                assert text.count(old) == 1, old
                text = text.replace(old, new)
            recipe.write_text(text)
            found = digests(str(recipe), run)
            moved = unversioned(pinned, found)
            good = "failed" not in found and bool(moved) == red
            failed += not good
            print(f"{'ok' if good else 'WRONG'}: {name}: {'red: ' + ', '.join(moved) if moved else 'green'}" + ("" if good else f"\n  {found}"))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("--builds", type=lambda text: text.split(","), default=BUILDS)
    parser.add_argument("worlds", nargs="*", help="default: every shipped type")
    options = parser.parse_args()
    if options.controls:
        return controls()
    worlds = options.worlds or [f"type:{p.stem}" for p in sorted((ROOT / "worlds/types").glob("*.toml"))]
    if options.update:
        return update(worlds, not options.worlds)

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
            pinned = golden[world][run.place]
            if {key: found.get(key) for key in pinned} != pinned:
                differing.append((world, run))
                print(f"{world}: {' '.join(command(world, run)[3:])} in build/{run.build}:\n  {found}\n  golden: {pinned}")
                for key in unversioned(pinned, found):
                    print(f"  {key} moved, but no version did")
    for world, run in differing[:5]:
        print(f"\n{world}, {run}: first differences from the reference\n{first_difference(world, run)}")
    print(f"digests: {len(jobs)} runs of {len(worlds)} worlds over {', '.join(factors['simd'])}: {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
