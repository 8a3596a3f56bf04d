"""Manifests: what each line gives, good or bad."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from bindlint.manifest import LONGEST_LINE, Job, ManifestReader, manifest_lines


def jobs(folder: Path, *lines: object) -> list[Job]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return list(ManifestReader(str(folder / "m.jsonl")).jobs(manifest_lines(io.BytesIO(text.encode()))))


def test_good_lines_in_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.hlsl", "sub/b.hlsl"):
        (tmp_path / name).touch()
    first, second, third = jobs(
        tmp_path,
        {"directory": str(tmp_path), "file": "a.hlsl", "arguments": ["-T", "ps_6_0", "-I", "inc"]},
        "",
        {"directory": "sub", "file": "b.hlsl", "arguments": ["b.hlsl", "-Tcs_6_0"], "output": "x"},
        {"file": str(tmp_path / "a.hlsl")},
    )
    assert first.file == "a.hlsl"
    assert first.shader is not None
    assert first.shader.file == str(tmp_path / "a.hlsl")
    assert first.shader.include_dirs == (str(tmp_path / "inc"),)
    assert first.roots == (str(tmp_path),)
    assert second.shader is not None
    assert (str(second.shader.profile), second.problems) == ("cs_6_0", ())
    assert third.shader is not None
    assert third.shader.profile is None


@pytest.mark.parametrize(
    ("line", "file", "kind", "message"),
    [
        ("{", "", "manifest-line", "line 1"),
        ("[]", "", "manifest-line", "object"),
        ('{"file": 3}', "", "manifest-line", "str"),
        ('{"file": "a.hlsl", "arguments": "x"}', "a.hlsl", "manifest-line", "array"),
        ('{"file": "\\ud800.hlsl"}', "", "manifest-line", "line 1"),
        ('{"file": "a.hlsl", "arguments": ["-T", "ps_9"]}', "a.hlsl", "arguments", "ps_9"),
        ('{"file": "gone.hlsl", "arguments": []}', "gone.hlsl", "missing-file", "`gone.hlsl`"),
        ('{"file": "a.hlsl", "arguments": ["-I", "\\u0000"]}', "a.hlsl", "arguments", "`-I`: no path has a NUL"),
        ('{"file": "a.hlsl", "arguments": ["-I", "' + "x" * 300 + '"]}', "a.hlsl", "arguments", "300 bytes is longer"),
        ('{"file": "a.hlsl", "arguments": ["@\\u0000"]}', "a.hlsl", "arguments", "response file"),
        ('{"file": "a.hlsl", "arguments": ["@/etc/passwd"]}', "a.hlsl", "arguments", "lies outside"),
        ('{"directory": "/etc", "file": "passwd", "arguments": ["@passwd"]}', "passwd", "arguments", "lies outside"),
        ('{"file": "a.hlsl", "arguments": ["-import-binding-table", "../t"]}', "a.hlsl", "arguments", "lies outside"),
        ('{"file": "nul\\u0000.hlsl", "arguments": []}', "nul\0.hlsl", "missing-file", "no file"),
    ],
)
def test_bad_lines_become_problems(tmp_path: Path, line: str, file: str, kind: str, message: str) -> None:
    (tmp_path / "a.hlsl").touch()
    bad, good = jobs(tmp_path, line, {"file": "a.hlsl"})
    assert bad.shader is None
    assert bad.file == file
    (problem,) = bad.problems
    assert (problem.kind, problem.partial, problem.span.line) == (kind, True, 1)
    assert message in problem.message
    assert good.shader is not None


def test_what_means_nothing_is_said_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.hlsl").touch()
    (job,) = jobs(tmp_path, {"file": "a.hlsl", "arguments": ["-T", "ps_6_0", "-new-option", "2>"]})
    assert job.shader is not None
    assert [(problem.kind, problem.partial) for problem in job.problems] == [
        ("unknown-option", False),
        ("extra-argument", False),
    ]


def test_a_repository_is_the_root_of_includes(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.hlsl").touch()
    (job,) = jobs(tmp_path, {"directory": "deep", "file": "a.hlsl"})
    assert job.roots == (str(tmp_path),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    text = '{"file": "é"}\r\n{"file": "b"}'
    assert [line.strip().decode() for line in manifest_lines(io.BytesIO(text.encode(encoding)))] == text.split("\r\n")


def test_a_line_nested_too_deeply_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.hlsl").touch()
    deep = '{"file": "a.hlsl", "arguments": [' + "[" * 50000 + "]" * 50000 + "]}"
    bad, good = jobs(tmp_path, deep, {"file": "a.hlsl"})
    assert [p.kind for p in bad.problems] == ["manifest-line"]
    assert good.shader is not None


def test_the_decoder_s_words_keep_their_capitals(tmp_path: Path) -> None:
    (job,) = jobs(tmp_path, "nope")
    assert "JSON is malformed" in job.problems[0].message


ENDLESS = [
    b"\0",
    b" ",
    b"x" * 7,
    b"\xff\xfe" + "x".encode("utf-16-le") * 5,
    b"\xff\xfe" + b"\n" * 10,
    b"\xfe\xff" + b"\0" * 8,
]


@pytest.mark.parametrize("first", ENDLESS)
def test_a_line_without_end_is_one_problem_and_the_end(first: bytes) -> None:
    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self.given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            piece = (first if self.given == 0 else first[2:] or first)[: len(buffer)]
            buffer[: len(piece)] = piece
            repeated = piece if self.given == 0 else piece * (len(buffer) // len(piece))
            buffer[: len(repeated)] = repeated
            self.given += len(repeated)
            assert self.given < 8 * LONGEST_LINE
            return len(repeated)

    (job,) = ManifestReader("m.jsonl").jobs(manifest_lines(io.BufferedReader(Endless())))
    (problem,) = job.problems
    assert (job.shader, problem.kind) == (None, "manifest-line")
    assert problem.message.startswith("line 1 is longer than 4194304 bytes")


def test_utf_16_line_by_line(tmp_path: Path) -> None:
    lines = [json.dumps({"file": f"{number}\u0a0a\u2028.hlsl"}, ensure_ascii=False) for number in range(9000)]
    stream = io.BytesIO("\n".join(lines).encode("utf-16"))
    assert [line.decode() for line in manifest_lines(stream)] == lines


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_manifest_within_a_repository_names_nothing_outside_of_it(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "build").mkdir()
    for name in ("outside.hlsl", "repository/a.hlsl"):
        (tmp_path / name).touch()
    (repository / "link.hlsl").symlink_to(tmp_path / "outside.hlsl")
    paths = ("../../outside.hlsl", str(tmp_path / "outside.hlsl"), "../link.hlsl", "../a.hlsl")
    *outside, inside = jobs(repository / "build", *({"file": path} for path in paths))
    assert [job.shader for job in outside] == [None] * 3
    assert all("lies outside of the repository" in job.problems[0].message for job in outside)
    assert inside.shader is not None


def test_what_stands_beside_a_shader_is_read_though_the_manifest_is_elsewhere(tmp_path: Path) -> None:
    for name in ("shaders/a.hlsl", "shaders/t.csv", "shaders/own.rsp", "elsewhere/t.csv", "build/own.rsp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    named = (
        ["-import-binding-table", "t.csv"],
        ["@own.rsp", "@../build/own.rsp"],
        ["-import-binding-table", "../elsewhere/t.csv"],
    )
    lines = ({"directory": str(tmp_path / "shaders"), "file": "a.hlsl", "arguments": each} for each in named)
    *beside, outside = jobs(tmp_path / "build", *lines)
    assert [job.problems for job in beside] == [(), ()]
    assert (outside.shader, len(outside.problems)) == (None, 1)
    assert f"lies outside of `{tmp_path / 'build'}` and `{tmp_path / 'shaders'}`" in outside.problems[0].message


@pytest.mark.parametrize(
    ("directory", "file", "allowed"),
    [
        ("../etc", "passwd", False),
        ("..", "etc/passwd", False),
        ("../shaders", "link.hlsl", False),
        ("../shaders", "a.hlsl", True),
        ("", "own.txt", True),
        ("../here", "b.txt", True),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_without_a_repository_what_lies_elsewhere_must_be_a_shader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, directory: str, file: str, allowed: bool
) -> None:
    for name in ("build/own.txt", "etc/passwd", "shaders/a.hlsl", "here/b.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "shaders" / "link.hlsl").symlink_to(tmp_path / "etc" / "passwd")
    monkeypatch.chdir(tmp_path / "here")
    (job,) = jobs(tmp_path / "build", {"directory": directory, "file": file})
    assert (job.shader is not None) == allowed
    assert allowed or "has no ending of shaders" in job.problems[0].message
