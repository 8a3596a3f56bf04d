"""The preprocessor against DXC: the tokens that it prints with -P, for the case tables and for generated programs."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import oracle.compiler
import pytest
from bindlint_grammars.hlsl.predefined import predefined
from bindlint_grammars.hlsl.preprocessor import Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore
from bindlint_grammars.hlsl.tokens import tokenize
from oracle.library import find_library
from test_preprocessor_conditions import BAD, HEAD, TRUE
from test_preprocessor_expansion import ACCEPTED

pytestmark = [pytest.mark.dxc, pytest.mark.usefixtures("oracle")]

_OWN_LINES = re.compile(rb"^#(?:line|pragma)\b[^\n]*", re.MULTILINE)
_UNCLOSED = re.compile(r"don't")


def printed(sources: list[str]) -> list[bytes | None]:
    """What DXC prints for each source, None where it rejects it. All are asked of one worker process."""
    command = [sys.executable, str(Path(oracle.compiler.__file__)), str(find_library())]
    arguments = ["a.hlsl", "-P", "-T", "ps_6_6"]
    requests = [{"source": source.encode().decode("latin-1"), "arguments": arguments} for source in sources]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(sources)
    return [bytes.fromhex(answer["container"]) if answer["accepted"] else None for answer in answers]


def tokens(text: bytes) -> list[bytes]:
    text = text.replace(b"\r", b"").replace(b"\0", b"")
    return [token.text.rstrip() for token in tokenize(text, 0, len(text), "")]


def expanded(source: str) -> list[bytes] | None:
    """Our tokens, None where we report a problem."""
    store = SourceStore(overlays={"a.hlsl": source.encode()})
    expansion = Preprocessor(store).run("a.hlsl", Settings(predefined=predefined("pixel", 6, 6)))
    return None if expansion.problems else tokens(b"".join(unit.text for unit in expansion.units))


def check(sources: list[str]) -> None:
    for source, text in zip(sources, printed(sources), strict=True):
        assert expanded(source) == (None if text is None else tokens(_OWN_LINES.sub(b"", text))), source


def test_the_case_tables() -> None:
    check([source for source, _ in ACCEPTED if not _UNCLOSED.match(source)])


def test_conditions() -> None:
    conditions = [condition for condition in (*TRUE, *BAD) if "__has_include" not in condition]
    check([f"{HEAD}#define EMPTY\n#if {condition}\nyes\n#else\nno\n#endif\n" for condition in conditions])


NAMES = list("ABCDEFGH")
WORDS = ["x", "y", "1", "2.5", "+", "-", "*", ",", '"s"', "(", ")", "[", "]", "t", "u7"]
OPERATORS = ["==", "<", ">", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "!=", ",", "? 1 :"]
OPERANDS = [*NAMES, "0", "1", "2u", "-1", "0x10", "defined(A)", "!defined B", "(1+2)", "~0", "A(1)"]

INTEGERS = [
    "0", "1", "2", "7", "63", "64", "65", "0u", "1u", "3U", "64u", "-1", "2147483648", "0x80000000", "4294967295",
    "4294967296u", "9223372036854775807", "9223372036854775808", "0x7fffffffffffffffLL", "0x8000000000000000",
    "18446744073709551615", "18446744073709551615u", "0xFFFFFFFFFFFFFFFFull", "0777", "01777777777777777777777",
    "0b11", "1l", "1Lu", "1llu", "'a'", "MIN", "MAX", "ALL", "true", "UNKNOWN", "defined(MIN)", "'\\377'", "'abcde'",
]  # fmt: skip
WRONG = ["18446744073709551616", "02000000000000000000000", "08", "0b", "1lL", "1lll", "1uu", "1LUl", "1.0", "1e3"]
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"]
EXTREMES = "#define MAX 9223372036854775807\n#define MIN (-MAX-1)\n#define ALL ~0u\n"


def arithmetic(chance: random.Random, depth: int) -> str:
    form = chance.random()
    if depth == 0 or form < 0.2:
        return chance.choice(WRONG if chance.random() < 0.02 else INTEGERS)
    if form < 0.35:
        return f"{chance.choice('-~!+')}{chance.choice(('', ' '))}({arithmetic(chance, depth - 1)})"
    if form < 0.45:
        parts = (arithmetic(chance, depth - 1) for _ in range(3))
        return "({} ? {} : {})".format(*parts)
    text = f"{arithmetic(chance, depth - 1)} {chance.choice(BINARY)} {arithmetic(chance, depth - 1)}"
    return f"({text})" if chance.random() < 0.6 else text


def body(chance: random.Random, parameters: list[str]) -> str:
    words: list[str] = []
    for _ in range(chance.randint(0, 6)):
        form = chance.randrange(6 if parameters else 4)
        call = ",".join(chance.choice([*NAMES, "1", "x", "", *parameters]) for _ in range(chance.randint(0, 2)))
        words.append(
            [
                chance.choice(NAMES),
                chance.choice(parameters or NAMES),
                chance.choice(WORDS),
                f"{chance.choice(NAMES)}({call})",
                f"{'## ' if words else ''}{chance.choice([*parameters, 'q', '9'])}",
                f"#{chance.choice(parameters or ['x'])}",
            ][form]
        )
    return chance.choice(["", " ", "  "]).join(words)


def line(chance: random.Random) -> str:
    parameters = chance.sample(["a", "b", "c"], chance.randint(0, 3))
    rest = chance.random() < 0.25
    listed = ",".join([*parameters, *["..."] * rest])
    condition = f"{chance.choice(OPERANDS)} {chance.choice(OPERATORS)} {chance.choice(OPERANDS)}"
    return [
        f"#define {chance.choice(NAMES)} {body(chance, [])}",
        f"#define {chance.choice(NAMES)}({listed}) {body(chance, [*parameters, *['__VA_ARGS__'] * rest])}",
        f"#undef {chance.choice(NAMES)}",
        f"#if {condition}\n{body(chance, [])}\n#else\n{body(chance, [])}\n#endif",
        body(chance, []),
    ][chance.choice([0, 1, 1, 2, 3, 4, 4])]


def test_generated_programs() -> None:
    chance = random.Random(20)
    check(["".join(line(chance) + "\n" for _ in range(chance.randint(3, 14))) for _ in range(1500)])


def test_generated_arithmetic() -> None:
    chance = random.Random(64)
    conditions = [arithmetic(chance, chance.randint(1, 4)) for _ in range(1500)]
    check([f"{EXTREMES}#if {condition}\nyes\n#else\nno\n#endif\n" for condition in conditions])
