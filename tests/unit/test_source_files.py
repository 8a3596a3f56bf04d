"""Files as read: encodings, positions, spelling, confinement."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.source_files import SourceFile, SourceStore, decode

ENCODINGS = [
    (b"float a;", "float a;", ()),
    (b"\xef\xbb\xbffloat a;", "float a;", ()),
    ("// é\n".encode(), "// é\n", ()),
    ("float a; // é".encode("utf-16"), "float a; // é", ()),
    (b"\xfe\xff" + "float a;".encode("utf-16-be"), "float a;", ()),
    ("float a;".encode("utf-32"), "float a;", ()),
    (b"// caf\xe9 \xfc\n", "// caf\ufffd \ufffd\n", ("invalid-encoding",)),
    (b"\xff\xfea", "\ufffd", ("invalid-encoding",)),
    ("float a; // é".encode("utf-16-le"), "float a; // é", ("byte-order-mark",)),
    ("float a; // é".encode("utf-16-be"), "float a; // é", ("byte-order-mark",)),
    ("float a; // 日本".encode("utf-16-le"), "float a; // 日本", ("byte-order-mark",)),
    (
        "float a; float b; float c;".encode("utf-16-le") + b"\0",
        "float a; float b; float c;\ufffd",
        ("byte-order-mark", "invalid-encoding"),
    ),
    (b"\0" * 5000, "", ("unreadable-file",)),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "", ("unreadable-file",)),
    ("float a;".encode("utf-32-le"), "", ("unreadable-file",)),
    (b"float a;\0 float b; // one NUL is let be", "float a;\0 float b; // one NUL is let be", ()),
    (b"float a;\x0c\x1a", "float a;\x0c\x1a", ()),
    ("// 日本語".encode("shift-jis") + b" some text", None, ("invalid-encoding",)),
    (b"", "", ()),
    (b"\xef\xbb\xbf", "", ()),
]


@pytest.mark.parametrize(("data", "text", "kinds"), ENCODINGS)
def test_decoding(data: bytes, text: str | None, kinds: tuple[str, ...]) -> None:
    file = decode("a.hlsl", data)
    assert text is None or file.text.decode() == text
    assert tuple(problem.kind for problem in file.problems) == kinds


def test_the_first_undecodable_byte_is_named() -> None:
    (problem,) = decode("a.hlsl", "é".encode() + b" \xe9 x").problems
    assert decode("a.hlsl", "é".encode() + b" \xe9 x").text[problem.start : problem.end].decode() == "\ufffd"


POSITIONS = [
    ("ab\ncd", 0, (1, 1)),
    ("ab\ncd", 2, (1, 3)),
    ("ab\ncd", 3, (2, 1)),
    ("ab\r\ncd", 4, (2, 1)),
    ("ab\rcd", 3, (2, 1)),
    ("a\n\r\nb", 4, (3, 1)),
    ("éé x", 5, (1, 4)),
    ("\U0001f600x", 4, (1, 2)),
    ("ab", 2, (1, 3)),
    ("", 0, (1, 1)),
]


@pytest.mark.parametrize(("text", "offset", "expected"), POSITIONS)
def test_positions_are_code_points_from_one(text: str, offset: int, expected: tuple[int, int]) -> None:
    assert SourceFile("a", text.encode()).position(offset) == expected


def test_a_file_is_read_once_and_anew_when_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "a.hlsl"
    path.write_bytes(b"one")
    store = SourceStore()
    first = store.get(str(path))
    path.write_bytes(b"two")
    assert store.get(str(path)) is first
    store.forget(str(path))
    again = store.get(str(path))
    assert again is not None
    assert again.text == b"two"
    assert store.generation == 1


def test_overlays_stand_in_for_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.hlsl"
    path.write_bytes(b"disk")
    store = SourceStore(overlays={str(tmp_path / "new.hlsl"): b"new"})
    new = store.get(str(tmp_path / "new.hlsl"))
    assert new is not None
    assert new.text == b"new"
    assert store.find(str(tmp_path / "sub" / ".." / "new.hlsl")) is not None
    for data, expected in ((b"edited", b"edited"), (None, b"disk")):
        store.overlay(str(path), data)
        file = store.get(str(path))
        assert file is not None
        assert file.text == expected


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "big.hlsl").write_bytes(b"x" * 11)
    store = SourceStore(Limits(file_bytes=10))
    assert store.get(str(tmp_path / "absent.hlsl")) is None
    assert store.get(str(tmp_path)) is None
    assert store.find(str(tmp_path)) is None
    big = store.get(str(tmp_path / "big.hlsl"))
    assert big is not None
    assert [(problem.kind, problem.partial) for problem in big.problems] == [("file-too-large", True)]
    odd = store.get("a\0b")
    assert odd is not None
    assert [problem.kind for problem in odd.problems] == ["unreadable-file"]


def test_a_header_has_one_name(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "h.hlsl").write_bytes(b"x")
    store = SourceStore()
    assert store.get(f"{tmp_path}/sub/../h.hlsl") is store.get(f"{tmp_path}/h.hlsl")
    assert store.get(f"{tmp_path}/./sub//..//h.hlsl") is store.get(f"{tmp_path}/h.hlsl")


def test_another_case_is_found_and_said(tmp_path: Path) -> None:
    (tmp_path / "Inc").mkdir()
    (tmp_path / "Inc" / "Common.hlsli").write_bytes(b"x")
    store = SourceStore()
    exact = store.find(f"{tmp_path}/Inc/Common.hlsli")
    assert exact is not None
    assert (exact.path, exact.case_differs) == (f"{tmp_path}/Inc/Common.hlsli", False)
    for spelling in ("inc/Common.hlsli", "Inc/common.HLSLI", "INC/COMMON.hlsli"):
        found = store.find(f"{tmp_path}/{spelling}")
        assert found is not None
        assert found.case_differs
        assert os.path.samefile(found.path, tmp_path / "Inc" / "Common.hlsli")
    assert store.find(f"{tmp_path}/inc/other.hlsli") is None


def test_nothing_outside_the_roots_is_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "in-not"
    inside.mkdir()
    outside.mkdir()
    (inside / "a.hlsl").write_bytes(b"a")
    (outside / "secret.hlsl").write_bytes(b"s")
    (inside / "link.hlsl").symlink_to(outside / "secret.hlsl")
    store, roots = SourceStore(), (str(inside),)
    for name, expected in (("a.hlsl", False), ("link.hlsl", True), ("../in-not/secret.hlsl", True)):
        found = store.find(f"{inside}/{name}", roots)
        assert found is not None
        assert found.outside is expected
