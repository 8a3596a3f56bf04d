"""How many of the shaders that the compiler rejects over bindings we reject too, in the right family and on its line.

    rejections.py TRUTH FOLDER

TRUTH is a gzipped file of JSON Lines with `repo`, `path`, `group`, `arguments` (`@/` is the repository's root, `@@/`
that of all), `entry`, `profile`, `ok`, `reasons` and `error` (the compiler's first); FOLDER holds each repository as
OWNER+NAME.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.plugins import load_rules

FAMILIES = {
    "register_syntax": ("BL0", "BL1"),
    "overlap": ("BL1",),
    "alloc_failed": ("BL1",),
    "rs_parse": ("BL0", "BL2", "BL3"),
    "rs_conflict": ("BL2", "BL3", "BL5"),
    "rs_uncovered": ("BL3",),
}
"""By the compiler's reason the families that mean it; what only its optimizer can tell has none here."""

PLACE = re.compile(r"^(?P<file>[^<\s][^:]*):(?P<line>\d+):\d+: (?:fatal )?error", re.MULTILINE)


def arguments(row: dict[str, Any], folder: Path, root: Path) -> list[str]:
    written = row["arguments"]
    if row["profile"].startswith("rootsig"):
        written = ["-T", row["profile"], "-E", row["entry"], *written[4:]]
    for short, long in (("@@/", f"{folder}/"), ("@/", f"{root}/")):
        written = [re.sub(rf"^(-I)?{short}", lambda m, long=long: (m[1] or "") + long, word) for word in written]
    return [str(root) if word == "@" else word for word in written]


def main(truth: str, folder: Path) -> None:
    engine, analyser = Engine(load_rules()), Analyser()
    rejected: defaultdict[str, set[str]] = defaultdict(set)
    good, right_line, placed = defaultdict(set), defaultdict(set), defaultdict(set)  # type: ignore[var-annotated]
    with gzip.open(truth, "rt") as lines:
        rows = [row for row in map(json.loads, lines) if not row["ok"] and row["reasons"]]
    rows = [row for row in rows if row["group"] != "rootsig-macro"]
    for row in rows:
        root = folder / row["repo"].replace("/", "+", 1)
        path = root / row["path"]
        if not path.exists():
            continue
        shader = parse_arguments(arguments(row, folder, root), str(root)).shader
        findings = engine.check(analyser.analyse(msgspec.structs.replace(shader, file=str(path)))).findings
        errors = [finding for finding in findings if finding.severity == "error"]
        shown = [
            span
            for finding in errors
            for span in (finding.violation.span, *(related.span for related in finding.violation.related))
        ]
        shown += [span.use for span in shown if span.use is not None]
        named = {(Path(s.file).name, line) for s in shown for line in range(s.line, s.end_line + 1)}
        place = PLACE.search(row["error"])
        for reason in row["reasons"]:
            name = f"{row['repo']} {row['path']}"
            rejected[reason].add(name)
            if any(finding.code.startswith(FAMILIES.get(reason, ("BL",))) for finding in errors):
                good[reason].add(name)
            elif reason in FAMILIES:
                print(f"{reason}: {name}: {row['error'][:120]!r}, but we say {[f.code for f in errors]}")
            if place is not None and reason in FAMILIES:
                placed[reason].add(name)
                if (Path(place["file"]).name, int(place["line"])) in named:
                    right_line[reason].add(name)
                else:
                    print(f"{reason}: {name}: on line {place['line']}, ours are {sorted(named)}")
    for reason, names in sorted(rejected.items()):
        text = f"{reason:28s} {len(names):4d} files, rejected here too {len(good[reason]):4d}"
        print(text + (f", on the line {len(right_line[reason])} of {len(placed[reason])}" if placed[reason] else ""))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve())
