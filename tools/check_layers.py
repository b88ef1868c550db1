#!/usr/bin/env python3
"""Holds layers.txt: who may include whom, which layer may know which library, what stays out of world output.

Prints one line `file:line: what is wrong` for each violation; exit 1 when there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PURE = {"base", "math", "spatial", "recipe", "compose", "field", "plan", "proof", "api"}  # makes world output
NO_IO = PURE | {"render"}  # no file, clock, network or environment

# (pattern in a line of code, layers it must not stand in, files that may hold it, why)
RULES = [
    (r"#include <hwy/", None, r"src/field/|src/mesh/simd/", "only field/ and mesh/simd know Highway"),
    (r"#include <(tbb|oneapi)/", None, r"src/base/tasks(_test)?\.cpp", "only base/tasks knows oneTBB"),
    (r"#include <toml", None, r"src/recipe/|src/compose/", "only recipe/ and compose/ know toml++"),
    (r"#include <(fstream|filesystem|iostream)>", NO_IO, None, "no file I/O up to render"),
    (r"#include <(chrono|ctime)>", NO_IO, None, "no clock up to render"),
    (r"\bgetenv\b", NO_IO, None, "no environment up to render"),
    (r"#include <random>", PURE, None, "random choices come from hash_words"),
    (r"\bstd::hash\b", PURE, None, "std::hash differs from library to library"),
    (r"#include <unordered_(map|set)>(?!.*looked up)", PURE, None,
     "unordered iteration differs from library to library; say `// only looked up` where it is"),
    (r"\bs?rand\(", PURE, None, "random choices come from hash_words"),
    (r"\bstd::(sin|cos|tan|asin|acos|atan2?|exp2?|exp2f|log(2|10)?|pow|hypot|cbrt|fma|lerp)\(", PURE,
     r"src/recipe/color\.cpp", "libm differs from machine to machine (colours may use it); see math/trig.h"),
    (r"\b(MulAdd|NegMulAdd|MulSub|NegMulSub)\(", PURE, None, "fused from AVX2 up, so not the same bits"),
    (r"\bthrow\b", NO_IO | {"exports", "audit"}, None, "nothing of ours throws across a module"),
]


def read_layers():
    layers = {}
    for line in (ROOT / "layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            name, below = line.split(":")
            layers[name.strip()] = set(below.split())
    return layers


def check_order(layers):
    """A layer may only include layers named above it, and with each of them all that it includes."""
    seen = set()
    for name, below in layers.items():
        for other in sorted(below - seen):
            yield f"layers.txt:1: {name} includes {other}, which is not above it"
        for other in below & seen:
            for deeper in sorted(layers[other] - below):
                yield f"layers.txt:1: {name} includes {other} but not {deeper} below it"
        seen.add(name)


def check_cmake(layers):
    """The targets of CMakeLists.txt: the same order, and DEPS whose closure is the line of layers.txt."""
    text = (ROOT / "CMakeLists.txt").read_text()
    found = re.findall(r"^vf_layer\((\w+)((?:[^()]|\([^()]*\))*)\)", text, re.M)
    if [name for name, _ in found] != list(layers):
        yield f"CMakeLists.txt:1: layers {[n for n, _ in found]}, but layers.txt has {list(layers)}"
    closure = {}
    for name, arguments in found:
        deps = re.search(r"\bDEPS((?:\s+[a-z_]+)*)", arguments)
        closure[name] = set()
        for dep in deps.group(1).split() if deps else []:
            closure[name] |= {dep} | closure.get(dep, set())
        for extra in sorted(closure[name] - layers.get(name, set())):
            yield f"CMakeLists.txt:1: vf_{name} links {extra}, which layers.txt does not allow"
        for missing in sorted(layers.get(name, set()) - closure[name]):
            yield f"CMakeLists.txt:1: vf_{name} does not link {missing}, which layers.txt allows"


def check_file(path, layers):
    name = path.relative_to(ROOT).as_posix()
    layer = name.split("/")[1]
    is_test = name.endswith("_test.cpp") or re.search(r"/test_|_for_tests\.h|/conformance_cases\.h", name) is not None
    in_comment = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = line.split("//")[0]
        if in_comment:
            in_comment = "*/" not in code
            continue
        in_comment = "/*" in code and "*/" not in code
        include = re.match(r'#include "(\w+)/', code)
        if include and include.group(1) in layers:
            other = include.group(1)
            if other != layer and other not in layers[layer]:
                yield f"{name}:{number}: {layer} must not include {other} (layers.txt)"
        code_without_text = re.sub(r'"(\\.|[^"\\])*"', '""', code)
        for pattern, forbidden, allowed, why in RULES:
            if is_test and forbidden is not None:
                continue
            if forbidden is not None and layer not in forbidden:
                continue
            if allowed is not None and re.match(allowed, name):
                continue
            text = line if "include" in pattern else code_without_text
            if re.search(pattern, text):
                yield f"{name}:{number}: {why}: {line.strip()}"


def main():
    layers = read_layers()
    problems = list(check_order(layers)) + list(check_cmake(layers))
    for folder in sorted(p.name for p in (ROOT / "src").iterdir() if p.is_dir()):
        if folder not in layers:
            problems.append(f"layers.txt:1: src/{folder} is not a layer")
            continue
        for path in sorted((ROOT / "src" / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".def"}:
                problems += check_file(path, layers)
    print("\n".join(problems) if problems else f"layers: {len(layers)} layers hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
