"""The rules about descriptor heaps on values that no page shows: what is not known, and what comes close."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from bindlint.model.device import CopyRange, HostCopy, HostHeap, ListState
from bindlint.model.root_signature import DescriptorRange
from bindlint.testing import Block, find
from bindlint_rules import RULES
from host_values import argument, at, bound, call, cbv, found, graphics, handle, heap, project, ref, signature, table

VIEWS, OTHERS, SAMPLERS = heap("views"), heap("others"), heap("samplers", "SAMPLER")
STAGING, TARGETS = heap("staging", visible=False), heap("targets", "RTV", 2, False)
UNTOLD = heap("untold", None, None, None)
HEAPS = (VIEWS, OTHERS, SAMPLERS, STAGING, TARGETS, UNTOLD)
TEXTURES = table(DescriptorRange("t", 0, count=4))
MADE = signature("s", TEXTURES, table(DescriptorRange("s", 0)), cbv())


@pytest.mark.parametrize(
    ("kind", "count", "visible", "codes"),
    [
        ("RTV", 2, True, ["BL701"]),
        ("DSV", 2, True, ["BL701"]),
        ("RTV", 2, False, []),
        ("RTV", 2, None, []),
        (None, 2, True, []),
        ("SAMPLER", 2049, True, ["BL711"]),
        ("SAMPLER", 2048, True, []),
        ("SAMPLER", 2049, None, []),
        ("CBV_SRV_UAV", 1_000_001, True, ["BL711"]),
        ("CBV_SRV_UAV", 1_000_001, False, []),
        ("CBV_SRV_UAV", None, True, []),
        (None, 0, None, ["BL711"]),
    ],
)
def test_heaps_alone(kind: str | None, count: int | None, visible: bool | None, codes: list[str]) -> None:
    whole = project(heaps=(heap("h", kind, count, visible),))
    assert [code for code in ("BL701", "BL711") if found(code, whole)] == codes


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (["views", "samplers"], []),
        (["views", "others"], ["BL703"]),
        (["staging"], ["BL702"]),
        (["targets"], ["BL702"]),
        (["untold", "?"], []),
        (["?", "?", "?"], ["BL703"]),
        (["views", "staging"], ["BL702", "BL703"]),
    ],
)
def test_heaps_that_are_set(names: list[str], codes: list[str]) -> None:
    whole = project(call("SetDescriptorHeaps", "set-heaps", heaps=tuple(map(ref, names))), heaps=HEAPS)
    assert [code for code in ("BL702", "BL703") if found(code, whole)] == codes


def test_heaps_of_an_unknown_number() -> None:
    assert not found("BL703", project(call("SetDescriptorHeaps", "set-heaps", heaps=None), heaps=HEAPS))


DIRECT = signature("direct", cbv(), flags=0x400)
OPEN = signature("open", cbv(), flags=0, unknown=("flags",))


@pytest.mark.parametrize(
    ("name", "before", "given", "told"),
    [
        ("direct", (), "views", True),
        ("direct", None, "views", True),
        ("direct", ("others",), "views", True),
        ("direct", ("views",), "views", False),
        ("direct", (), "samplers", False),
        ("direct", (), "untold", False),
        ("direct", ("?",), "views", False),
        ("s", (), "views", False),
        ("open", (), "views", False),
        ("unset", (), "views", False),
    ],
)
def test_heaps_after_the_root_signature(name: str, before: tuple[str, ...] | None, given: str, told: bool) -> None:
    heaps = None if before is None else tuple(map(ref, before))
    state = ListState(graphics=bound(name), heaps=heaps)
    sets = call("SetDescriptorHeaps", "set-heaps", point=None, state=state, heaps=(ref(given),))
    signatures = (DIRECT, OPEN, MADE)
    assert bool(found("BL704", project(sets, heaps=HEAPS, signatures=signatures))) is told
    again = call("SetGraphicsRootSignature", "set-root-signature", 11, target=ref("direct"))
    assert not found("BL704", project(sets, again, heaps=HEAPS, signatures=signatures))


@pytest.mark.parametrize(
    ("before", "now", "arguments", "told"),
    [
        (["views"], ["samplers"], (0,), True),
        (["views"], ["others"], (0, 1), True),
        (["views"], ["views", "samplers"], (0,), False),
        (["views"], ["samplers"], (1,), False),
        (["others"], ["samplers"], (0,), False),
        (["views"], ["?"], (0,), False),
        (["views[*]"], ["samplers"], (0,), False),
        (None, ["samplers"], (0,), False),
    ],
)
def test_heaps_that_are_dropped(
    before: list[str] | None, now: list[str], arguments: tuple[int, ...], told: bool
) -> None:
    first = None if before is None else tuple(map(ref, before))
    sets = argument("table", 0, ListState(graphics=bound("s"), heaps=first), handles=(handle("views"),))
    state = ListState(bound("s", arguments=arguments), heaps=tuple(map(ref, now)), heaps_span=at(12))
    draws = [call("DrawInstanced", "draw", line, state=state) for line in (15, 16)]
    assert [line for line, _ in found("BL705", project(sets, *draws, heaps=HEAPS, signatures=(MADE,)))] == [12] * told


@pytest.mark.parametrize(
    ("index", "name", "told"),
    [
        (0, "samplers", True),
        (1, "views", True),
        (0, "targets", True),
        (0, "views", False),
        (1, "samplers", False),
        (0, "untold", False),
        (0, "?", False),
        (2, "views", False),
        (None, "samplers", False),
    ],
)
def test_types_of_tables(index: int | None, name: str, told: bool) -> None:
    sets = argument("table", index, graphics("s"), handles=(handle(name),))
    assert bool(found("BL706", project(sets, heaps=HEAPS, signatures=(MADE,)))) is told


@pytest.mark.parametrize(
    ("heaps", "name", "codes"),
    [
        (["others"], "views", ["BL707"]),
        ([], "views", ["BL707"]),
        (["others", "views"], "views", []),
        (None, "views", []),
        (["?"], "views", []),
        (["alias"], "views", []),
        (["unknown heap"], "views", []),
        (["others"], "staging", ["BL708"]),
        (["others"], "?", []),
    ],
)
def test_tables_in_heaps_that_are_not_set(heaps: list[str] | None, name: str, codes: list[str]) -> None:
    state = ListState(graphics=bound("s"), heaps=None if heaps is None else tuple(map(ref, heaps)))
    sets = argument("table", 0, state, handles=(handle(name),))
    alias = msgspec.structs.replace(VIEWS, key="alias")
    whole = project(sets, heaps=(*HEAPS, alias), signatures=(MADE,))
    assert [code for code in ("BL707", "BL708") if found(code, whole)] == codes


@pytest.mark.parametrize(
    ("name", "more", "heap_name", "codes"),
    [
        ("CreateShaderResourceView", {"view": "srv"}, "targets", ["BL709"]),
        ("CreateShaderResourceView", {"view": "srv"}, "staging", []),
        ("CreateRenderTargetView", {"view": "rtv"}, "views", ["BL709"]),
        ("OMSetRenderTargets", {}, "targets", []),
        ("OMSetRenderTargets", {}, "untold", []),
        ("OMSetRenderTargets", {}, "views", ["BL709"]),
        ("ClearDepthStencilView", {}, "targets", ["BL709"]),
        ("ClearUnorderedAccessViewUint", {}, "views", ["BL710"]),
        ("ClearUnorderedAccessViewFloat", {}, "staging", []),
        ("DiscardResource", {}, "targets", []),
    ],
)
def test_views(name: str, more: dict[str, Any], heap_name: str, codes: list[str]) -> None:
    kind: Any = "view" if more else "render-targets" if name.startswith("OM") else "clear"
    whole = project(call(name, kind, handles=(handle(heap_name, side="cpu"),), **more), heaps=HEAPS)
    assert [code for code in ("BL709", "BL710") if found(code, whole)] == codes


@pytest.mark.parametrize(
    ("index", "in_heap", "codes"),
    [
        (7, VIEWS, ["BL713"]),
        (4, VIEWS, []),
        (8, VIEWS, ["BL712"]),
        (-1, VIEWS, ["BL712"]),
        (None, VIEWS, []),
        (0, UNTOLD, []),
    ],
)
def test_ends_of_heaps(index: int | None, in_heap: HostHeap, codes: list[str]) -> None:
    sets = argument("table", 0, graphics("s"), handles=(handle(in_heap.name, index),))
    whole = project(sets, heaps=HEAPS, signatures=(MADE,))
    assert [code for code in ("BL712", "BL713") if found(code, whole)] == codes


@pytest.mark.parametrize(
    ("ranges", "told"),
    [
        ((DescriptorRange("t", 0, count=4), DescriptorRange("u", 0, count=5)), True),
        ((DescriptorRange("t", 0, count=4), DescriptorRange("u", 0, count=9, unknown=("count",))), False),
        ((DescriptorRange("t", 0, count=None),), False),
        ((DescriptorRange("t", 0, count=8), DescriptorRange("t", 0, count=None, space=1)), True),
        ((DescriptorRange("t", 0, count=2, offset=7),), True),
        ((), False),
    ],
)
def test_lengths_of_tables(ranges: tuple[DescriptorRange, ...], told: bool) -> None:
    sets = argument("table", 0, graphics("s"), handles=(handle("views"),))
    made = signature("s", table(*ranges))
    assert bool(found("BL713", project(sets, heaps=HEAPS, signatures=(made,)))) is told


@pytest.mark.parametrize(
    ("names", "count", "lines"),
    [
        (["targets", "depths"], 1, 0),
        (["depths", "targets"], 1, 2),
        (["targets", "targets"], 1, 1),
        (["targets", "targets"], 2, 0),
        (["depths"], 0, 0),
        (["targets"], 0, 1),
        (["depths"], 1, 1),
        (["depths"], None, 0),
        (["views"], None, 1),
    ],
)
def test_render_targets(names: list[str], count: int | None, lines: int) -> None:
    handles = tuple(handle(name, place, "cpu") for place, name in enumerate(names))
    sets = call("OMSetRenderTargets", "render-targets", handles=handles, count=count)
    assert len(found("BL709", project(sets, heaps=(*HEAPS, heap("depths", "DSV", 2, False))))) == lines


Cut = tuple[str, int | None, int | None]


def side(cuts: list[Cut] | None) -> tuple[CopyRange, ...] | None:
    if cuts is None:
        return None
    return tuple(CopyRange(handle(name, index, "cpu"), count, at(50)) for name, index, count in cuts)


@pytest.mark.parametrize(
    ("destinations", "sources", "kind", "codes"),
    [
        ([("views", 0, 4)], [("staging", 0, 4)], "CBV_SRV_UAV", []),
        ([("views", 0, 4)], [("others", 0, 4)], "CBV_SRV_UAV", ["BL714"]),
        ([("samplers", 0, 4)], [("staging", 0, 4)], "CBV_SRV_UAV", ["BL715"]),
        ([("views", 0, 4)], [("targets", 0, 2), ("staging", 0, 2)], "CBV_SRV_UAV", ["BL715"]),
        ([("views", 0, 4)], [("staging", 0, 3)], None, ["BL716"]),
        ([("views", 0, 4)], [("staging", 0, 3), ("staging", 7, 1)], None, []),
        ([("views", 0, 4)], [("staging", 0, 3), ("staging", 7, None)], None, []),
        ([("views", 0, 4)], None, None, []),
        ([("staging", 0, 4)], [("staging", 3, 4)], None, ["BL717"]),
        ([("staging", 0, 4)], [("staging", 4, 4)], None, []),
        ([("staging", None, 4)], [("staging", 3, 4)], None, []),
        ([("staging", 0, None)], [("staging", 0, 4)], None, []),
        ([("?", 0, 4)], [("?", 0, 4)], None, []),
        ([("staging[*]", 0, 4)], [("staging[*]", 0, 4)], None, []),
        ([("views", 6, 4)], [("staging", 0, 4)], None, ["BL712"]),
    ],
)
def test_copies(destinations: list[Cut], sources: list[Cut] | None, kind: Any, codes: list[str]) -> None:
    copy = HostCopy(side(destinations), side(sources), kind)
    whole = project(call("CopyDescriptors", "copy", copy=copy), heaps=HEAPS)
    told = [code for code in ("BL712", "BL714", "BL715", "BL716", "BL717") if found(code, whole)]
    assert told == codes


def test_heaps_of_a_configuration(tmp_path: Path) -> None:
    configuration = '[[heap]]\nname = "targets"\ntype = "RTV"\ncount = 2\nshader-visible = true\n'
    block = Block(1, (), (("host.cpp", b"void Load();\n"),), (), configuration=configuration)
    (told,) = find(block, RULES, tmp_path)
    assert told.code == "BL701" and told.violation.span.file.endswith("bindlint.toml")
