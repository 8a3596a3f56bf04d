"""Every byte of expanded text leads back to where it was written."""

from __future__ import annotations

import pytest
from bindlint_grammars.hlsl.preprocessor import COMMAND_LINE, Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore
from bindlint_grammars.hlsl.tokens import tokenize
from bindlint_grammars.hlsl.units import Unit


def unit_of(source: str, **settings: tuple[tuple[str, str], ...]) -> tuple[Unit, bytes]:
    store = SourceStore(overlays={"a.hlsl": source.encode()})
    (unit,) = Preprocessor(store).run("a.hlsl", Settings(**settings)).units
    file = store.get("a.hlsl")
    assert file is not None
    return unit, file.text


PLAIN = [
    "float a; // one\nfloat b;",
    "float a;\r\nfloat b;\r\n",
    "\ufefffloat é; /* two */ float b;",
    "#if 1\nfloat a;\n#endif\nfloat b; \\\n float c;",
    "float a; /* " + "x" * 200 + " */\nfloat b;\n" + " " * 90 + "\n\n float c;",
    "#define A 1\nfloat a = A; float b = A;",
    "#define F(x, y) y x\nF(float, static) a = F(1, 2 +);",
    "#define F(x) x\nF(F(F(float a;))) float b;",
    "#define F(x) x\nF(float\n#if 1\na;\n#endif\n) float b;",
]


@pytest.mark.parametrize("source", PLAIN)
def test_every_token_is_found_where_it_was_written(source: str) -> None:
    unit, text = unit_of(source)
    found = tokenize(unit.text, 0, len(unit.text), "")
    assert len(found) > 3
    for token in found:
        origin, end = unit.locate(token.offset, token.offset + len(token.text))
        assert origin.file == "a.hlsl"
        assert text[origin.offset : end] == token.text


# The text looked for, what it leads to, the macro that is written in, and the text where that macro was used.
MAPPED = [
    ("#define N t5\nTexture2D a : register(N);", "t5", "t5", "N", "N);"),
    ("#define R(x) register(x)\nTexture2D a : R(t5);", "t5", "t5", "", ""),
    ("#define R(x) register(x)\nTexture2D a : R(t5);", "register", "register", "R", "R(t5);"),
    ("#define N 5\n#define R(x) register(x)\nTexture2D a : R(N);", "5", "5", "N", "R(N);"),
    ("#define I 7\n#define O I\nint a = O;", "7", "7", "I", "O;"),
    ("#define C(a,b) a##b\nTexture2D a : register(C(t,5));", "t5", "t", "", ""),
    ("#define R(n) register(t##n)\nTexture2D a : R(5);", "t5", "t", "R", "R(5);"),
    ("#define S(x) #x\nint a = S( q r );", '"q r"', "q", "", ""),
    ("#define S(x) #x\nint a = S();", '""', "#", "S", "S();"),
    ("int a = b\\\nc;", "bc", "b\\", "", ""),
]


@pytest.mark.parametrize(("source", "looked_for", "written", "macro", "used"), MAPPED)
def test_through_macros(source: str, looked_for: str, written: str, macro: str, used: str) -> None:
    unit, text = unit_of(source)
    start = unit.text.index(looked_for.encode())
    origin, end = unit.locate(start, start + len(looked_for))
    assert (text[origin.offset : end].decode(), origin.macro) == (written, macro)
    if macro:
        assert origin.use_file == "a.hlsl"
        assert text[origin.use_offset :].decode() == used
    else:
        assert origin.use_file == ""


# A stretch of expanded text, and the stretch of the file that it stands for.
STRETCHES = [
    ("#define N 5\nT a : register(N) ;", (b"register", b")"), "register(N)"),
    ("#define N 5\nT a : register(N) ;", (b"a", b"5"), "a : register(N"),
    ("#define R(x) register(x)\nT a : R(t5);", (b"a", b")"), "a : R(t5)"),
    ("#define R(x) register(x)\nT a : R(t5);", (b"register", b")"), "register(x)"),
    ("#define R(x) register(x)\nT a : R(t5);", (b"register", b"t5"), "r"),
    ("#define D(n) Texture2D n : register(t5)\nD(one); D(two);", (b"two", b"two"), "two"),
]


@pytest.mark.parametrize(("source", "ends", "expected"), STRETCHES)
def test_a_stretch_has_its_end_in_the_file_of_its_start(source: str, ends: tuple[bytes, bytes], expected: str) -> None:
    unit, text = unit_of(source)
    start = unit.text.index(ends[0] + b" ") if ends[0] + b" " in unit.text else unit.text.index(ends[0])
    origin, end = unit.locate(start, unit.text.index(ends[1], start) + len(ends[1]))
    assert text[origin.offset : end].decode() == expected


def test_definitions_of_the_command_line() -> None:
    unit, _ = unit_of("int a = N;", defines=(("N", "12"),))
    origin = unit.origin(unit.text.index(b"12"))
    assert (origin.file, origin.macro, origin.use_offset) == (COMMAND_LINE, "N", 8)
