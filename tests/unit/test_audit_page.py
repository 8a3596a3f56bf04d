"""The page of an audit: its register maps, its limits, and that a browser draws it without asking for anything."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bindlint.audit.register_map import Lane, register_map
from bindlint.report.documents import (
    BindingDocument,
    ParameterDocument,
    PlaceDocument,
    RangeDocument,
    RootSignatureDocument,
)

COMMAND = [sys.executable, "-m", "bindlint", "audit"]
PLACE = PlaceDocument("a.hlsl", 1, 1)
SHADER = """Texture2D A : register(t0);
Texture2D B[3] : register(t0);
Texture2D Open[] : register(t8);
cbuffer C : register(b0) { float4 c; }
SamplerState S;
[RootSignature("CBV(b0), DescriptorTable(SRV(t0, numDescriptors=4), SRV(t8, numDescriptors=unbounded)), StaticSampler(s0)")]
float4 main(float2 p : P) : SV_Target { return c + A.Sample(S, p) + B[1].Sample(S, p) + Open[7].Sample(S, p); }
"""  # noqa: E501


def bound(name: str, lower: int, upper: int | None, used: bool = True, cls: str = "t") -> BindingDocument:
    count = None if upper is None else upper - lower + 1
    return BindingDocument(name, cls, 0, lower, upper, "texture", count, True, used, "certain", PLACE)


def lane(*bindings: BindingDocument, signature: RootSignatureDocument | None = None) -> Lane:
    (only,) = register_map(bindings, signature)
    return only


def table(*ranges: tuple[int, int | None]) -> RootSignatureDocument:
    parts = tuple(RangeDocument("t", register, 0, count, None, 0) for register, count in ranges)
    parameter = ParameterDocument(0, "table", None, None, None, None, "PIXEL", 1, parts)
    return RootSignatureDocument("1.1", 0, 1, (parameter,), (), None)


@pytest.mark.parametrize(
    ("bindings", "bars", "overlaps", "holes"),
    [
        ([bound("a", 0, 0)], 1, 0, 0),
        ([bound("a", 0, 0), bound("b", 1, 1)], 2, 0, 0),
        ([bound("a", 0, 0), bound("b", 4, 4)], 2, 0, 1),
        ([bound("a", 0, 3), bound("b", 2, 5)], 2, 1, 0),
        ([bound("a", 0, 3), bound("b", 2, 5, used=False)], 2, 0, 0),
        ([bound("a", 0, None), bound("b", 2, 2)], 2, 1, 0),
        ([bound(f"x{n}", 7, 7) for n in range(50)], 50, 1, 0),
        ([bound("a", 0, 4294967294), bound("b", 9, 9)], 2, 1, 0),
    ],
)
def test_bars_overlaps_and_holes(bindings: list[BindingDocument], bars: int, overlaps: int, holes: int) -> None:
    lines = lane(*bindings).lines
    assert sum(len(line.bars) for line in lines) == bars
    assert sum(len(line.overlaps) for line in lines) == overlaps
    assert sum(len(line.holes) for line in lines) == holes


def test_bars_of_one_row_do_not_meet() -> None:
    drawn = [bound(f"name{n}", n * 2, n * 2 + n % 5) for n in range(40)]
    for line in lane(*drawn).lines:
        for one in line.bars:
            for other in line.bars:
                if one is not other and one.y == other.y:
                    assert one.x + one.width <= other.x or other.x + other.width <= one.x
            assert one.y + 20 <= line.bars_top + line.bars_height


def test_ranges_stand_behind() -> None:
    (line,) = lane(bound("a", 1, 1), signature=table((0, 4), (8, None))).lines
    assert [box.text for box in line.ranges] == ["#0 table pixel", "#0 table pixel"]
    assert [box.title for box in line.ranges] == ["#0 table pixel: t0-t3", "#0 table pixel: t8-unbounded"]
    assert [box.kind for box in line.holes] == ["unclaimed", "unclaimed", "free", "unclaimed"]


def test_a_lane_of_thousands_is_bounded_and_says_so() -> None:
    found = lane(*(bound(f"r{n}", n * 3, n * 3) for n in range(5000)))
    assert found.left_out > 9000
    assert sum(len(line.bars) for line in found.lines) < 130


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "r").mkdir()
    for number in range(12):
        (folder / "r" / f"s{number}.hlsl").write_text(re.sub(r"\bA\b", f"A{number}", SHADER))
    place = folder / "page.html"
    options = ["--no-cache", "--results", str(folder / "r.sqlite"), "--html", str(place), "--html-shaders", "5"]
    done = subprocess.run([*COMMAND, str(folder / "r"), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def test_the_page_says_what_it_leaves_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r'<details class="shader"', text)) == 5
    assert "7 others are in the results file" in text
    assert "register-overlap" in text


def test_the_page_asks_for_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not re.search(r"https?://|<script|\bsrc=|@import|url\(", text)


def test_a_browser_draws_it(page: Path, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium is installed")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    log = ["--enable-logging=stderr", "--v=0"]
    for width in (400, 1280):
        shot = tmp_path / f"{width}.png"
        sized = [f"--window-size={width},900", f"--screenshot={shot}"]
        done = subprocess.run(
            [browser, *options, *log, *sized, page.as_uri()], capture_output=True, text=True, check=False, timeout=120
        )
        assert shot.is_file() and shot.stat().st_size > 10_000, done.stderr
        assert "Content Security Policy" not in done.stderr
    drawn = subprocess.run(
        [browser, *options, "--dump-dom", page.as_uri()], capture_output=True, text=True, check=False, timeout=120
    )
    assert drawn.stdout.count("<svg") > 10
