"""Configurations of ShaderMake: which compilations their lines ask for, and what is said of lines that ask for none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bindlint.manifests import Entry, SourceOptions, entries


def read(text: str, path: Path | None = None, said: list[str] | None = None, **options: object) -> list[Entry]:
    told = said if said is not None else []
    source = str(path or "shaders.cfg")
    return list(entries(source, io.BytesIO(text.encode()), SourceOptions(**options), told.append))  # type: ignore[arg-type]


def commands(text: str, **options: object) -> list[str]:
    return [f"{entry.line.file} {' '.join(entry.line.arguments)}" for entry in read(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.hlsl -T ps", ["a.hlsl -T ps_6_5 -E main"]),
        ("sub\\a.hlsl -T vs -E VSMain", ["sub/a.hlsl -T vs_6_5 -E VSMain"]),
        ("a.hlsl -T lib -E main", ["a.hlsl -T lib_6_5"]),
        ("a.hlsl -Tcs -Emain -DA -O3 -o out -s _x", ["a.hlsl -T cs_6_5 -E main -D A"]),
        ("a.hlsl --profile=cs --entryPoint go --define=A=1", ["a.hlsl -T cs_6_5 -E go -D A=1"]),
        ("a.hlsl -T cs -m 6_6", ["a.hlsl -T cs_6_6 -E main"]),
        ("a.hlsl -T cs -D Q='a' -D \"S=x y\" -D B=\\", ["a.hlsl -T cs_6_5 -E main -D Q='a' -D S=x y -D B=\\"]),
        ('"with space.hlsl" -T cs', ["with space.hlsl -T cs_6_5 -E main"]),
        (
            'a.hlsl -T lib --compilerOptionsDXIL="-HV 2018" --compilerOptionsSPIRV=-x',
            ["a.hlsl -T lib_6_5 -HV 2018"],
        ),
        (
            "a.hlsl -T ps -D X={0,1} -E {p,q}",
            [f"a.hlsl -T ps_6_5 -E {entry} -D X={value}" for value in (0, 1) for entry in "pq"],
        ),
        ("a.hlsl -T ps -D N={one}", ["a.hlsl -T ps_6_5 -E main -D N=one"]),
        ("// a.hlsl -T ps\n\n", []),
        ("#if 0\na.hlsl -T ps\n#else\nb.hlsl -T ps\n#endif\n", ["b.hlsl -T ps_6_5 -E main"]),
        ("#if 1\na.hlsl -T ps\n#else\nb.hlsl -T ps\n#endif\n", ["a.hlsl -T ps_6_5 -E main"]),
        ("#if 0\n#if 1\na.hlsl -T ps\n#else\nb.hlsl -T ps\n#endif\n#endif\n", []),
        ("#ifdef FAST\r\na.hlsl -T ps\r\n#endif\r\n", []),
    ],
)
def test_lines(text: str, expected: list[str]) -> None:
    assert commands(text) == expected


def test_options_of_the_user() -> None:
    text = "#ifdef FAST\na.hlsl -T ps -D Q={0,1}\n#endif"
    assert commands(text, words=("-DFAST", "-Iinc"), shader_model="6_6") == [
        "a.hlsl -T ps_6_6 -E main -D Q=0 -DFAST -Iinc",
        "a.hlsl -T ps_6_6 -E main -D Q=1 -DFAST -Iinc",
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a.hlsl", 1, "`-T` needs a stage"),
        ("\na.hlsl -T zs", 2, "not `zs`"),
        ("a.hlsl -T ps -D X={0,1", 1, "`{` without `}`"),
        ("a.hlsl -T ps --profil cs", 1, "did you mean `profile`"),
        ("a.hlsl -T ps -D", 1, "`-D` needs a value"),
        ("a.hlsl -T ps stray", 1, "`stray` is no option"),
        ("a.hlsl -T ps " + "-D A={0,1} " * 15, 1, "32768 permutations"),
        ("\n#endif", 2, "`#endif` without `#if`"),
        ("#else", 1, "`#else` without `#if`"),
        ("#if A > 1\n#endif", 1, "no condition of ShaderMake"),
        ("a.hlsl -T ps\n#ifdef X\n", 2, "no `#endif`"),
        ("#pragma x", 1, "no line of ShaderMake"),
    ],
)
def test_what_means_nothing_is_told_at_its_line(text: str, line: int, message: str) -> None:
    (said,) = [entry for entry in read(text) if entry.problem]
    assert said.problem is not None and message in said.problem.message
    assert (said.span.file, said.span.line) == ("shaders.cfg", line)


@pytest.mark.parametrize(
    ("line", "lines", "read_lines"),
    [("a.hlsl -T ps" + " -D A={0,1}" * 12, 30, 16), (f"a.hlsl -T ps -D A={{0,1}} -D B={'x' * (1 << 23)}", 5, 1)],
)
def test_a_file_has_no_more_permutations_than_builds_have(line: str, lines: int, read_lines: int) -> None:
    *found, last = read("#if 1\n" + f"{line}\n" * lines + "#endif\n")
    assert last.problem is not None and "neither this line nor what follows is read" in last.problem.message
    assert {entry.span.line for entry in found} == set(range(2, read_lines + 2))
    assert last.span.line == read_lines + 2 and not any(entry.problem for entry in found)


def test_shaders_in_another_folder_are_found_where_there_is_one_such_file(tmp_path: Path) -> None:
    (tmp_path / "Source" / "post").mkdir(parents=True)
    (tmp_path / "Source" / "post" / "a.hlsl").touch()
    (tmp_path / "here.hlsl").touch()
    said: list[str] = []
    found = read("post/a.hlsl -T cs\nhere.hlsl -T cs\nnowhere.hlsl -T cs\n", tmp_path / "s.cfg", said)
    assert [entry.line.directory for entry in found] == ["Source", "", ""]
    assert len(said) == 1 and "Source" in said[0]
