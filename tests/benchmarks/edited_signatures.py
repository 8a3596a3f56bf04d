"""Real root signatures with one thing edited: does the compiler reject what we report an error on, and accept the rest?

    edited_signatures.py TRUTH FOLDER [EDITS]

TRUTH and FOLDER are those of rejections.py. Each accepted shader with a root signature in its text is expanded; EDITS
times (5) one register, space, count, visibility or flag of the signature is edited, or a clause left out or doubled.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import msgspec

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

from bindlint.arguments import parse_arguments  # noqa: E402
from bindlint.bindings.analyse import Analyser  # noqa: E402
from oracle.library import find_library  # noqa: E402
from oracle.signature_mutants import DATA_FLAGS, RANGE_FLAGS, VISIBILITIES  # noqa: E402
from oracle.test_signature_mutants import ENGINE, known_to_dxc  # noqa: E402
from oracle.worker import Oracle  # noqa: E402
from rejections import arguments  # noqa: E402

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ATTRIBUTE = re.compile(rf"\[\s*RootSignature\s*\(\s*((?:{LITERAL.pattern}\s*)+)\)\s*\]", re.IGNORECASE)
LINE = re.compile(r"^#line\b.*\n", re.MULTILINE)
KINDS = "register", "space", "count", "visibility", "flags", "root flags", "class", "drop", "double", "constants"
NUMBERS = ("1", "0", "2", "15", "63", "64", "4294967279", "4294967280", "4294967295", "unbounded")
INSIDE = r"\s*\(((?:[^()]|\([^()]*\))*)\)"
LEAF = re.compile(rf"\b(CBV|SRV|UAV|Sampler|RootConstants|StaticSampler){INSIDE}")
CLAUSE = re.compile(rf"\b(CBV|SRV|UAV|Sampler|RootConstants|StaticSampler|DescriptorTable){INSIDE}")
FLAGS = re.compile(r"RootFlags\s*\(([^()]*)\)")


def edited(signature: str, chance: Random) -> str:
    """The signature with one thing edited; itself where that edit finds nothing."""
    kind = chance.choice(KINDS)

    def one(pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        found = list(re.finditer(pattern, signature))
        return chance.choice(found) if found else None

    def put(match: re.Match[str], text: str, group: int = 0) -> str:
        return signature[: match.start(group)] + text + signature[match.end(group) :]

    def argument(match: re.Match[str], name: str, value: str) -> str:
        """A clause whose argument of that name has a value, or another one."""
        written = re.search(rf"\b{name}\s*=\s*([^,()]+)", match[2], re.IGNORECASE)
        if written is None:
            return put(match, f"{match[2]}, {name} = {value}", 2)
        start = match.start(2)
        return signature[: start + written.start(1)] + value + signature[start + written.end(1) :]

    leaf = one(LEAF)
    clause = one(CLAUSE)
    if leaf is None or clause is None:
        return signature
    if kind == "register":
        match = one(r"\b([btus])(\d+)\b")
        number = 0 if match is None else int(match[2])
        changed = chance.choice((number + 1, max(number - 1, 0), number + 40, 4294967295))
        return signature if match is None else put(match, f"{match[1]}{changed}")
    if kind == "space":
        return argument(leaf, "space", chance.choice(NUMBERS[:-1]))
    if kind == "count" and leaf[1] not in ("RootConstants", "StaticSampler"):
        return argument(leaf, "numDescriptors", chance.choice(NUMBERS))
    if kind == "visibility":
        value = f"visibility = SHADER_VISIBILITY_{chance.choice(VISIBILITIES)}"
        text, found = re.subn(r"visibility\s*=\s*\w+", value, clause[0], flags=re.IGNORECASE)
        return put(clause, text if found else f"{clause[0][:-1]}, {value})")
    if kind == "flags" and leaf[1] in ("CBV", "SRV", "UAV", "Sampler"):
        return argument(leaf, "flags", " | ".join(chance.sample((*DATA_FLAGS, *RANGE_FLAGS), chance.randint(1, 2))))
    if kind == "root flags":
        flag = chance.choice([f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in VISIBILITIES[1:]]
                             + ["LOCAL_ROOT_SIGNATURE", "ALLOW_STREAM_OUTPUT", "0"])  # fmt: skip
        match = one(FLAGS)
        return f"{signature.rstrip().rstrip(',')}, RootFlags({flag})" if match is None else put(match, flag, 1)
    if kind == "class":
        return put(leaf, chance.choice(("CBV", "SRV", "UAV", "Sampler")), 1)
    if kind == "drop":
        return re.sub(r"^\s*,|,\s*$", "", re.sub(r",\s*,", ",", put(clause, "")))
    if kind == "double":
        return put(clause, f"{clause[0]}, {clause[0]}")
    match = one(r"num32BitConstants\s*=\s*(\d+)")
    return signature if match is None else put(match, chance.choice(NUMBERS[:6]), 1)


def main(truth: str, folder: Path, edits: int) -> None:
    counted: Counter[str] = Counter()
    with gzip.open(truth, "rt") as lines:
        rows = [row for row in map(json.loads, lines) if row["ok"] and "rts0" in row]
    with tempfile.TemporaryDirectory() as made, Oracle(find_library()) as oracle:
        path = Path(made, "edited.hlsl")

        def errors(source: str, written: list[str]) -> list[str]:
            path.write_text(source)
            shader = parse_arguments(written, made).shader
            found = ENGINE.check(Analyser().analyse(msgspec.structs.replace(shader, file=str(path)))).findings
            return [f"{f.code} {f.violation.message}" for f in found if f.severity == "error" and known_to_dxc(f)]

        for row in rows:
            root = folder / row["repo"].replace("/", "+", 1)
            main_file = root / row["path"]
            if not main_file.exists() or row["group"] == "rootsig-macro":
                continue
            written = arguments(row, folder, root)
            printed = oracle.ask(main_file.read_bytes(), [*written, "-P"], str(main_file))
            text = "" if printed is None else LINE.sub("", printed.container.decode("latin-1"))
            entry = re.search(rf"\b{re.escape(row['entry'] or 'main')}\s*\(", text)
            before = [match for match in ATTRIBUTE.finditer(text) if entry and match.start() < entry.start()]
            kept = without_defines(written)
            verdict = oracle.ask(text.encode("latin-1"), kept) if before else None
            if verdict is None or not verdict.accepted or errors(text, kept):
                counted["left out"] += 1
                continue
            counted["signatures"] += 1
            attribute = before[-1]
            signature = "".join(LITERAL.findall(attribute[1]))
            for number in range(edits):
                changed = edited(signature, Random(f"{row['id']} {number}"))
                if changed == signature:
                    continue
                source = f'{text[: attribute.start(1)]}"{changed}"{text[attribute.end(1) :]}'
                verdict = oracle.ask(source.encode("latin-1"), kept)
                if verdict is None:
                    counted["compiler crashed"] += 1
                    continue
                ours = errors(source, kept)
                counted["edited"] += 1
                counted["rejected"] += not verdict.accepted
                counted["same verdict"] += verdict.accepted == (not ours)
                if verdict.accepted != (not ours):
                    said = verdict.errors.strip()[:300] or "accepted"
                    print(f"{row['repo']} {row['path']} {row['entry']}: {said!r}, but we say {ours}\n  {changed}")
    print(dict(counted))


def without_defines(written: list[str]) -> list[str]:
    """Of the arguments those that still say something of an expanded text."""
    kept: list[str] = []
    skip = False
    for word in written:
        if not skip and word not in ("-D", "-I") and not re.match(r"-[DI].", word):
            kept.append(word)
        skip = word in ("-D", "-I")
    return kept


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3]) if len(sys.argv) > 3 else 5)
