#!/usr/bin/env python3
"""Negative control of tools/tidy.py: a clean tree is green, and each fault turns it red, named at its place.

Every fault is looked for joined to other sources and alone, so that joining hides none.
"""
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "build/tidy_control"  # below the root, whose .clang-tidy is found from there

CLEAN_HEADER = """#pragma once

#include <string>

namespace vf {

struct Label {
  std::string text;
};

}  // namespace vf
"""
CLEAN = """#include <cstddef>

#include "label.h"

namespace vf {

std::size_t {NAME}_length(const Label& label) {
  return label.text.size();
}

}  // namespace vf
"""
# check -> the source that has the fault, and its line
FAULTS = {
    "misc-include-cleaner": ("#include <vector>\n", 1),
    "performance-unnecessary-value-param": ("#include \"label.h\"\n\nnamespace vf {\n\n"
                                            "bool named(Label label) {\n  return !label.text.empty();\n}\n\n}  // namespace vf\n", 5),
    "readability-identifier-naming": ("namespace vf {\n\nint BadName() {\n  return 1;\n}\n\n}  // namespace vf\n", 3),
    "bugprone-use-after-move": ("#include <cstddef>\n#include <utility>\n\n#include \"label.h\"\n\nnamespace vf {\n\n"
                                "std::size_t taken(Label label) {\n  const Label other = std::move(label);\n"
                                "  return other.text.size() + label.text.size();\n}\n\n}  // namespace vf\n", 10),
    "performance-for-range-copy": ("#include <cstddef>\n#include <vector>\n\n#include \"label.h\"\n\nnamespace vf {\n\n"
                                   "std::size_t sum(const std::vector<Label>& labels) {\n  std::size_t n = 0;\n"
                                   "  for (const auto label : labels) n += label.text.size();\n  return n;\n}\n\n"
                                   "}  // namespace vf\n", 10),
}
FAULTY_HEADER = CLEAN_HEADER.replace("std::string text;", "std::string text;\n  int BadMember = 0;")


def run(sources, header=CLEAN_HEADER, arguments=()):
    """Exit code and words of tidy.py over a tree with these sources."""
    shutil.rmtree(TREE, ignore_errors=True)
    (TREE / "src").mkdir(parents=True)
    (TREE / "src/label.h").write_text(header)
    commands = []
    for name, text in sources.items():
        path = TREE / "src" / name
        path.write_text(text)
        commands.append({"directory": str(TREE), "file": str(path),
                         "command": f"clang++-19 -std=c++20 -I{TREE / 'src'} -o {name}.o -c {path}"})
    (TREE / "compile_commands.json").write_text(json.dumps(commands))
    result = subprocess.run([sys.executable, str(ROOT / "tools/tidy.py"), "--tree", str(TREE), "--build", str(TREE),
                             *(str(TREE / "src" / name) for name in arguments)], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def main():
    clean = {f"{name}.cpp": CLEAN.replace("{NAME}", name) for name in ("one", "two")}
    problems = []

    def expect(what, outcome, code, *words):
        if outcome[0] != code or any(word not in outcome[1] for word in words):
            problems.append(f"{what}: exit {outcome[0]} instead of {code}, or without {words}:\n{outcome[1]}")

    expect("a clean tree", run(clean), 0, "0 findings in 2 sources, 2 of them joined to 1 units")
    # All faults at once, joined to the clean sources; then each alone.
    faulty = {f"fault{i}.cpp": text for i, (text, _) in enumerate(FAULTS.values())}
    places = [f"src/fault{i}.cpp:{line}:" for i, (_, line) in enumerate(FAULTS.values())]
    expect("faults joined", run({**clean, **faulty}), 1, *places, *FAULTS)
    expect("faults alone", run({**clean, **faulty}, arguments=faulty), 1, *places, *FAULTS)
    expect("a fault of a header", run(clean, FAULTY_HEADER), 1, "src/label.h:9:7:", "BadMember")
    expect("what does not compile", run({**clean, "broken.cpp": "int broken( {\n"}), 1, "src/broken.cpp:1:")
    shared = "namespace vf {\n\nstruct Same {\n  int %s = 0;\n};\n\n}  // namespace vf\n"
    expect("sources that cannot be joined", run({"a.cpp": shared % "left", "b.cpp": shared % "right"}), 0,
           "do not compile as one", "0 findings in 2 sources")
    shutil.rmtree(TREE, ignore_errors=True)
    print("\n".join(problems) if problems else f"tidy: {len(FAULTS)} faults found, joined and alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
