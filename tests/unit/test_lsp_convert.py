"""Places of the protocol and places in texts."""

from __future__ import annotations

import re

import pytest
from bindlint.lsp.convert import Text, path_of, uri_of
from bindlint.model.source import Span
from bindlint_grammars.hlsl.source_files import decode
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import (
    Position,
    Range,
    TextDocumentContentChangePartial,
    TextDocumentContentChangeWholeDocument,
)

TEXTS = st.text(st.sampled_from("ab \t\r\n\u00e4\u20ac\U0001f600\u2028\x0c\ufeff"), max_size=30)


@given(TEXTS)
def test_every_offset_has_its_position(text: str) -> None:
    here = Text(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":
            continue
        position = here.position(offset)
        lines = re.split(r"\r\n|\r|\n", text[:offset])
        assert position == Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
        assert here.offset(position) == offset


@given(TEXTS)
def test_places_are_those_that_the_engine_gives(text: str) -> None:
    here, source = Text(text), decode("a.hlsl", Text(text).data)
    plain = text.removeprefix("\ufeff")
    for offset in range(len(plain)):
        if plain[offset - 1 : offset + 1] != "\r\n" and plain[offset] not in "\r\n":
            start = len(plain[:offset].encode())
            line, column = source.position(start)
            span = Span("a.hlsl", line, column, line, column + 1)
            assert here.span_offsets(span)[0] == offset + len(text) - len(plain)
            assert here.place(here.range_of(span).start) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "character", "offset"),
    [
        ("abc\ndef", 0, 9, 3),
        ("abc\r\ndef", 0, 9, 3),
        ("abc\ndef", 7, 0, 7),
        ("\U0001f600a", 0, 1, 0),
        ("\U0001f600a", 0, 2, 1),
        ("\U0001f600a", 0, 99, 2),
        ("", 0, 0, 0),
        ("a\n", 1, 5, 2),
    ],
)
def test_positions_beyond_what_is_there(text: str, line: int, character: int, offset: int) -> None:
    assert Text(text).offset(Position(line, character)) == offset


def test_changes() -> None:
    text = Text("one\r\n\U0001f600 two\n")
    place = Range(Position(1, 2), Position(1, 6))
    assert text.changed(TextDocumentContentChangePartial(place, "!")).text == "one\r\n\U0001f600!\n"
    assert text.changed(TextDocumentContentChangeWholeDocument("x")).text == "x"


@pytest.mark.parametrize("path", ["/a/b c.hlsl", "/a/#1/\u00e4?.hlsl", "/a/100%.hlsl"])
def test_paths_and_uris(path: str) -> None:
    assert path_of(uri_of(path)) == path


def test_what_is_no_file_goes_by_its_uri() -> None:
    assert path_of("untitled:Untitled-1") == "untitled:Untitled-1"
