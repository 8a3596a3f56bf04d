"""Renderers: the exact text and the exact keys."""

from __future__ import annotations

import json
import os
import re

import msgspec
import pytest
from analyses import Text, analysis, span
from bindlint.arguments import parse_arguments
from bindlint.engine import Report
from bindlint.model.binding import Binding, EntryPoint, Resource, ShaderAnalysis, Use
from bindlint.model.finding import Finding, Problem, Related, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature, StaticSampler
from bindlint.model.source import Span
from bindlint.report import Style, Summary, renderer
from bindlint.report.json import to_json
from bindlint.report.terminal import columns, escape, width


def finding(violation: Violation, severity: str = "error") -> Finding:
    return Finding("BL103", "register-overlap", severity, violation)  # type: ignore[arg-type]


def shader_analysis() -> ShaderAnalysis:
    """A pixel shader with an explicit, an unbounded, an unassigned and an unused resource, and a root signature."""
    table = DescriptorRange("t", 0, count=None, span=span(line=9))
    signature = RootSignature(
        parameters=(
            RootParameter(0, "table", ranges=(table,), visibility="PIXEL", span=span(line=9)),
            RootParameter(1, "constants", 3, count=4, span=span(line=10)),
        ),
        static_samplers=(StaticSampler(0, span=span(line=11)),),
        name="RS",
    )
    texture = Resource("color", RESOURCE_TYPES["Texture2D"], span(line=1, column=11), lower=3, space=1)
    array = Resource("many", RESOURCE_TYPES["StructuredBuffer"], span(line=2), count=None)
    loose = Resource("loose", RESOURCE_TYPES["cbuffer"], span(line=3), space=2)
    spare = Resource("spare", RESOURCE_TYPES["SamplerState"], span(line=4), lower=7, space=0)
    bindings = (
        Binding(texture, RegisterRange("t", 1, 3, 3), True, True, "typed"),
        Binding(array, RegisterRange("t", 0, 0, None), False, True, "structured", "likely"),
        Binding(loose, None, False, True, "cbuffer"),
        Binding(spare, RegisterRange("s", 0, 7, 7), True, False, "sampler"),
    )
    entry = EntryPoint("main", "ps", span(), uses=(Use(texture, frozenset(("read", "sample")), ()),))
    return msgspec.structs.replace(
        analysis(problems=(Problem("missing-include", "`x.hlsli` is not there", span(line=2)),)),
        shader=msgspec.structs.replace(parse_arguments(["-T", "ps_6_6"]).shader, file="/p/a.hlsl"),
        status="partial",
        bindings=bindings,
        entries=(entry,),
        signature=signature,
    )


def test_jsonl_has_exactly_the_documented_keys() -> None:
    violation = Violation("m", span(line=2, column=3), (Related("r", span(line=1)),), "likely")
    report = Report(shader_analysis(), (finding(violation),))
    (piece,) = renderer("jsonl", Style(), lambda _: None).shader("given.hlsl", report)
    assert piece.data.endswith(b"}\n")
    document = json.loads(piece.data)
    rts0 = document["root_signature"].pop("rts0")
    assert bytes.fromhex(rts0)
    assert document == {
        "file": "given.hlsl",
        "entry": "main",
        "profile": "ps_6_6",
        "status": "partial",
        "bindings": [
            {
                "name": "color",
                "class": "t",
                "space": 1,
                "lower": 3,
                "upper": 3,
                "kind": "typed",
                "count": 1,
                "explicit": True,
                "used": True,
                "certainty": "certain",
                "declared": {"file": "a.hlsl", "line": 1, "column": 11},
            },
            {
                "name": "many",
                "class": "t",
                "space": 0,
                "lower": 0,
                "upper": None,
                "kind": "structured",
                "count": None,
                "explicit": False,
                "used": True,
                "certainty": "likely",
                "declared": {"file": "a.hlsl", "line": 2, "column": 1},
            },
            {
                "name": "loose",
                "class": "b",
                "space": 2,
                "lower": None,
                "upper": None,
                "kind": "cbuffer",
                "count": 1,
                "explicit": False,
                "used": True,
                "certainty": "certain",
                "declared": {"file": "a.hlsl", "line": 3, "column": 1},
            },
            {
                "name": "spare",
                "class": "s",
                "space": 0,
                "lower": 7,
                "upper": 7,
                "kind": "sampler",
                "count": 1,
                "explicit": True,
                "used": False,
                "certainty": "certain",
                "declared": {"file": "a.hlsl", "line": 4, "column": 1},
            },
        ],
        "root_signature": {
            "version": "1.1",
            "flags": 0,
            "cost": 5,
            "parameters": [
                {
                    "index": 0,
                    "kind": "table",
                    "register": 0,
                    "space": 0,
                    "count": 0,
                    "flags": 0,
                    "visibility": "PIXEL",
                    "cost": 1,
                    "ranges": [
                        {"class": "t", "register": 0, "space": 0, "count": None, "offset": None, "flags": 0},
                    ],
                },
                {
                    "index": 1,
                    "kind": "constants",
                    "register": 3,
                    "space": 0,
                    "count": 4,
                    "flags": 0,
                    "visibility": "ALL",
                    "cost": 4,
                    "ranges": [],
                },
            ],
            "static_samplers": [
                {
                    "register": 0,
                    "space": 0,
                    "filter": 0x55,
                    "address_u": 1,
                    "address_v": 1,
                    "address_w": 1,
                    "mip_lod_bias": 0.0,
                    "max_anisotropy": 16,
                    "comparison": 4,
                    "border_color": 2,
                    "min_lod": 0.0,
                    "max_lod": 3.4028234663852886e38,
                    "visibility": "ALL",
                    "flags": 0,
                }
            ],
        },
        "findings": [
            {
                "code": "BL103",
                "name": "register-overlap",
                "severity": "error",
                "certainty": "likely",
                "message": "m",
                "file": "a.hlsl",
                "line": 2,
                "column": 3,
                "end_line": 2,
                "end_column": 4,
                "related": [{"message": "r", "file": "a.hlsl", "line": 1, "column": 1}],
            }
        ],
        "problems": [
            {
                "kind": "missing-include",
                "message": "`x.hlsli` is not there",
                "file": "a.hlsl",
                "line": 2,
                "column": 1,
            }
        ],
    }


def test_jsonl_gives_findings_of_the_run_to_the_last_shader() -> None:
    render = renderer("jsonl", Style(), lambda _: None)
    (piece,) = render.shader("a.hlsl", Report(shader_analysis()))
    assert render.last(piece.data, ()) == piece.data
    amended = json.loads(render.last(piece.data, (finding(Violation("late", span())),)))
    assert [f["message"] for f in amended.pop("findings")] == ["late"]
    original = json.loads(piece.data)
    del original["findings"]
    assert amended == original


def test_show_leaves_findings_out_of_json() -> None:
    (piece,) = renderer("jsonl", Style(show=True), lambda _: None).shader("a.hlsl", Report(shader_analysis()))
    assert "findings" not in json.loads(piece.data)


def test_json_is_one_document() -> None:
    render = renderer("json", Style(), lambda _: None)
    pieces = [render.shader(name, Report(shader_analysis()))[0].data for name in ("a.hlsl", "b.hlsl")]
    end = render.end(Summary(shaders=2, warning=1), (finding(Violation("late", span())),))
    document = json.loads(render.begin() + render.separator.join(pieces) + end)
    assert document["version"] == 1
    assert [shader["file"] for shader in document["shaders"]] == ["a.hlsl", "b.hlsl"]
    assert document["findings"][0]["message"] == "late"
    assert document["summary"]["warning"] == 1


def test_concise_is_one_escaped_line() -> None:
    violation = Violation("two\nlines \x1b[31m", span("dir/a b.hlsl", 3, 7))
    (piece,) = renderer("concise", Style(), lambda _: None).shader("x", Report(analysis(), (finding(violation),)))
    assert piece.data == b"dir/a b.hlsl:3:7: error[BL103] two\\nlines \\x1b[31m\n"


def text_of(violation: Violation, source: str, **style: bool) -> str:
    sources = {"a.hlsl": Text(source)}
    (piece,) = renderer("text", Style(**style), sources.get).shader(
        "a.hlsl", Report(shader_analysis(), (finding(violation),))
    )
    return piece.data.decode()


@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        ("Texture2D a;\n", span(column=11), ["1 | Texture2D a;", "  |           ^"]),
        ("\tint a;\r\n", span(column=6), ["1 |     int a;", "  |         ^"]),
        ('"日本" a;', span(column=6), ['1 | "日本" a;', "  |        ^"]),
        ('"日本" a;', span(column=2, length=2), ['1 | "日本" a;', "  |  ^^^^"]),
        ("\x1b[1m a;", span(column=6), ["1 | \\x1b[1m a;", "  |         ^"]),
        ("a(\nb)", Span("a.hlsl", 1, 2, 2, 3), ["1 | a(", "  |  ^"]),
        ("int a", span(column=6), ["1 | int a", "  |      ^"]),
        ("a", span(line=4), []),
        ("a", span(column=99), []),
        ("x" * 500, span(column=2), []),
    ],
)
def test_snippets(source: str, place: Span, expected: list[str]) -> None:
    lines = text_of(Violation("m", place), source).splitlines()
    assert lines[0] == "error[BL103] m (register-overlap)"
    assert lines[1].strip() == f"--> {place}"
    assert [line for line in lines[2:] if line.strip(" |")] == expected


def test_text_shows_related_places_and_macros() -> None:
    related = tuple(Related(f"place {n}", span("other.hlsl", n)) for n in range(1, 12))
    place = Span("a.hlsl", 1, 1, 1, 2, macro="M", use=span("b.hlsl", 5))
    text = text_of(Violation("m", place, related, "likely"), "a\n")
    assert "(register-overlap, likely)" in text
    assert "from the macro `M`, used at b.hlsl:5:1" in text
    assert text.count("note: place") == 8
    assert "and 3 more places" in text


def test_colour_only_where_wanted() -> None:
    violation = Violation("m", span())
    assert "\x1b[" in text_of(violation, "a", color=True)
    assert "\x1b[" not in text_of(violation, "a")


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        (Summary(shaders=1), "1 shader: nothing found\n"),
        (Summary(shaders=2, error=1, warning=2, info=3), "2 shaders: 1 error, 2 warnings, 3 info\n"),
        (
            Summary(shaders=3, suppressed=1, partial=1, failed=1),
            "3 shaders: nothing found; 1 suppressed; 1 only partly read; 1 not read\n",
        ),
    ],
)
def test_closing_line(summary: Summary, expected: str) -> None:
    assert renderer("text", Style(), lambda _: None).end(summary, ()).decode() == expected


def test_show() -> None:
    (piece,) = renderer("text", Style(show=True), lambda _: None).shader("a.hlsl", Report(shader_analysis()))
    assert (
        piece.data.decode()
        == """\
a.hlsl: main (ps_6_6)
  NAME   REGISTERS     CLASS    KIND        GIVEN     USED BY              DECLARED
  color  t3, space1    srv      typed       explicit  main (read, sample)  a.hlsl:1:11
  many   t0-unbounded  srv      structured  assigned  yes                  a.hlsl:2:1
  loose  unassigned    cbv      cbuffer     assigned  yes                  a.hlsl:3:1
  spare  s7            sampler  sampler     explicit  unused               a.hlsl:4:1
root signature RS, version 1.1, 5 of 64 DWORDs
  INDEX   KIND         REGISTERS     VISIBILITY  DWORDS  DECLARED
  0       table                      PIXEL       1       a.hlsl:9:1
            srv        t0-unbounded                      a.hlsl:9:1
  1       4 constants  b3            ALL         4       a.hlsl:10:1
  static  sampler      s0            ALL         0       a.hlsl:11:1
a.hlsl:2:1: `x.hlsli` is not there

"""
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 日", "plain é 日"),
        ("\x00\x1b\x7f\x9b", "\\x00\\x1b\\x7f\\x9b"),
        ("a\tb\nc", "a    b\\nc"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\ud800", "\\ud800"),
    ],
)
def test_escape(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_columns_align_by_what_a_terminal_shows() -> None:
    assert width("日本e\u0301") == 5
    assert columns([("日本", "a"), ("x", "b")]) == ["日本  a", "x     b"]


@pytest.mark.skipif(os.sep == "\\", reason="names of POSIX")
@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        (b"\xff.hlsl", "\\xff.hlsl"),
        (b"a\\xff\xfe", "a\\x5cxff\\xfe"),
        (b"a\\xff", "a\\x5cxff"),
        (b"a\\x5cxff", "a\\x5cx5cxff"),
        (b"a\\\\xff", "a\\\\x5cxff"),
        (b"a\\x1f\\n", "a\\x1f\\n"),
        ("ä\u2028\x7f".encode(), "ä\u2028\x7f"),
    ],
)
def test_names_of_files_come_back_from_json(name: bytes, spelled: str) -> None:
    given = name.decode("utf-8", "surrogateescape")
    lines = renderer("jsonl", Style(), lambda _: None)
    (piece,) = lines.shader(given, Report(shader_analysis()))
    last = lines.last(piece.data, (finding(Violation("\u202e", span(given))),))
    for data in (piece.data, last):
        file = json.loads(data)["file"]
        assert file == spelled
        back = re.sub(rb"\\x([89a-f][0-9a-f]|5c)", lambda m: bytes.fromhex(m[1].decode()), file.encode())
        assert back == name
    assert json.loads(last)["findings"][-1]["message"] == "\u202e"
    assert [len(json.loads(data)["findings"]) for data in (piece.data, last)] == [0, 1]


@pytest.mark.parametrize("odd", ["\x00", "\x1f", "\x7f", "\x85", "\u200b", "\u2028", "\u202e", "\u2066", "\ufeff"])
def test_json_holds_nothing_that_cannot_be_seen(odd: str) -> None:
    data = to_json({"message": f"ä{odd}日"})
    assert odd not in data.decode() and "ä" in data.decode()
    assert json.loads(data) == {"message": f"ä{odd}日"}
