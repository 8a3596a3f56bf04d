"""The register map of one shader as geometry: a lane for each class and space, bars, overlaps, holes, ranges behind."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bindlint.model.root_signature import STAGE_VISIBILITY, VISIBILITIES
from bindlint.report.documents import BindingDocument, ParameterDocument, RootSignatureDocument

WIDTH = 880
"""Of a line, in pixels; what does not fit goes on in the next."""
MOST_INTERVALS = 120
_LETTER, _SMALL_LETTER = 6.9, 5.9
_BAR, _BAR_GAP, _CAPTION, _TICKS, _LEFT = 20, 4, 14, 14, 8
_CLASSES = {"b": "constant buffers", "t": "SRVs", "u": "UAVs", "s": "samplers"}
_OF_KIND = {"constants": "b", "cbv": "b", "srv": "t", "uav": "u"}


class Box(msgspec.Struct, frozen=True):
    """A rectangle with a text that fits into it, and what it says in full. `kind` is its class in the style sheet."""

    x: float
    y: float
    width: float
    text: str
    title: str
    kind: str = ""


class Line(msgspec.Struct, frozen=True):
    """One line of a lane. `ticks` are the registers at which something begins, with their places."""

    height: float
    bars_top: float
    bars_height: float
    ticks: tuple[tuple[float, str], ...]
    ranges: tuple[Box, ...]
    bars: tuple[Box, ...]
    overlaps: tuple[Box, ...]
    holes: tuple[Box, ...]


class Lane(msgspec.Struct, frozen=True):
    """One class in one space. `left_out` counts stretches beyond those that are drawn."""

    name: str
    title: str
    lines: tuple[Line, ...]
    left_out: int = 0


class _Claim(msgspec.Struct, frozen=True):
    """Registers that something takes, the end exclusive and None where there is none."""

    start: int
    end: int | None
    text: str
    title: str
    kind: str
    used: bool = True

    def covers(self, start: int) -> bool:
        return self.start <= start and (self.end is None or start < self.end)


def register_map(
    bindings: Iterable[BindingDocument], signature: RootSignatureDocument | None, stage: str = ""
) -> tuple[Lane, ...]:
    """The lanes, by class and space. `stage` is the prefix of a profile: what other stages alone see is left out."""
    bars: dict[tuple[str, int], list[_Claim]] = {}
    for binding in bindings:
        if binding.lower is not None:
            bars.setdefault((binding.cls, binding.space), []).append(_claim(binding))
    ranges: dict[tuple[str, int], list[_Claim]] = {}
    for key, claim in _ranges(signature, STAGE_VISIBILITY.get(stage)):
        ranges.setdefault(key, []).append(claim)
    keys = sorted({*bars, *ranges}, key=lambda key: ("btus".find(key[0]), key[1]))
    return tuple(_lane(*key, bars.get(key, []), ranges.get(key, [])) for key in keys)


def _claim(binding: BindingDocument) -> _Claim:
    lower = binding.lower or 0
    end = None if binding.upper is None else binding.upper + 1
    kind = "unused" if not binding.used else "given" if binding.explicit else "assigned"
    words = [f"{binding.kind}", "explicit" if binding.explicit else "assigned by the compiler"]
    words += [] if binding.used else ["unused"]
    title = f"{binding.name}: {_registers(binding.cls, lower, end)} ({', '.join(words)})"
    text = binding.name if end is not None else f"{binding.name} \N{RIGHTWARDS ARROW}"
    return _Claim(lower, end, text, title, kind, binding.used)


def _ranges(signature: RootSignatureDocument | None, own: str | None) -> Iterable[tuple[tuple[str, int], _Claim]]:
    """What the root signature covers, as far as that is known; of what one stage sees alone that of `own`."""
    if signature is None:
        return
    seen = ("ALL", None, own) if own is not None else (*VISIBILITIES, None)
    for parameter in signature.parameters:
        if parameter.visibility not in seen:
            continue
        said = parameter_name(parameter)
        if parameter.kind != "table" and parameter.register is not None and parameter.space is not None:
            yield _covered(_OF_KIND[parameter.kind], parameter.space, parameter.register, 1, said)
        for part in parameter.ranges:
            if part.register is not None and part.space is not None and "count" not in part.unknown:
                yield _covered(part.cls, part.space, part.register, part.count, said)
    for sampler in signature.static_samplers:
        if sampler.register is not None and sampler.space is not None and sampler.visibility in seen:
            yield _covered("s", sampler.space, sampler.register, 1, f"static {sampler.visibility or '?'}")


def _covered(cls: str, space: int, register: int, count: int | None, said: str) -> tuple[tuple[str, int], _Claim]:
    end = None if count is None else register + count
    return (cls, space), _Claim(register, end, said, f"{said}: {_registers(cls, register, end)}", "range")


def parameter_name(parameter: ParameterDocument) -> str:
    seen = "" if parameter.visibility in ("ALL", None) else f" {parameter.visibility.lower()}"
    return f"#{parameter.index} {parameter.kind}{seen}"


def _registers(cls: str, start: int, end: int | None) -> str:
    if end is None:
        return f"{cls}{start}-unbounded"
    return f"{cls}{start}" if end == start + 1 else f"{cls}{start}-{cls}{end - 1}"


def _lane(cls: str, space: int, bars: list[_Claim], ranges: list[_Claim]) -> Lane:
    claims = [*bars, *ranges]
    points = sorted({claim.start for claim in claims} | {claim.end for claim in claims if claim.end is not None})
    ends: list[int | None] = [*points[1:]]
    if any(claim.end is None for claim in claims):
        ends.append(None)
    intervals = list(zip(points, ends, strict=False))
    drawn = intervals[:MOST_INTERVALS]
    widths = _widths(drawn, bars, ranges)
    lines: list[list[int]] = [[]]
    taken = 0.0
    for index, width in enumerate(widths):
        if lines[-1] and taken + width > WIDTH:
            lines.append([])
            taken = 0.0
        lines[-1].append(index)
        taken += width
    name = cls if not space else f"{cls}, space{space}"
    title = f"{_CLASSES.get(cls, cls)} in space {space}"
    rows, captions = _stacked(bars), _stacked(ranges)
    made = tuple(_line(cls, [(*drawn[i], widths[i]) for i in line], rows, captions) for line in lines if line)
    return Lane(name, title, made, len(intervals) - len(drawn))


def _widths(intervals: list[tuple[int, int | None]], bars: list[_Claim], ranges: list[_Claim]) -> list[float]:
    """Wide enough for the names, and no wider for long stretches than for a dozen registers."""
    widths: list[float] = []
    for start, end in intervals:
        count = 12 if end is None else end - start
        covered = any(claim.covers(start) for claim in (*bars, *ranges))
        widths.append(min(28.0 + 6 * (count - 1), 110.0) if covered else 18.0 if count == 1 else 52.0)
    for claims, most in ((bars, 190.0), (ranges, 120.0)):
        letter = _LETTER if claims is bars else _SMALL_LETTER
        for claim in claims:
            inside = [index for index, (start, _) in enumerate(intervals) if claim.covers(start)]
            lacking = min(len(claim.text) * letter + 12, most) - sum(widths[index] for index in inside)
            for index in inside:
                widths[index] += max(0.0, lacking) / len(inside)
    return widths


def _stacked(claims: list[_Claim]) -> list[tuple[_Claim, int]]:
    """Each claim with the row in which it meets no other."""
    free: list[float] = []
    placed = []
    for claim in sorted(claims, key=lambda claim: (claim.start, claim.text)):
        end = float("inf") if claim.end is None else claim.end
        row = next((number for number, until in enumerate(free) if until <= claim.start), len(free))
        free[row:] = [end] if row == len(free) else [end, *free[row + 1 :]]
        placed.append((claim, row))
    return placed


def _line(
    cls: str,
    intervals: list[tuple[int, int | None, float]],
    bars: list[tuple[_Claim, int]],
    ranges: list[tuple[_Claim, int]],
) -> Line:
    places: dict[int, tuple[float, float]] = {}
    x = float(_LEFT)
    for start, _, width in intervals:
        places[start] = (x, width)
        x += width
    bars = [(claim, row) for claim, row in bars if any(claim.covers(start) for start in places)]
    ranges = [(claim, row) for claim, row in ranges if any(claim.covers(start) for start in places)]
    captions = _packed(ranges)
    rows = _packed(bars)
    top = 4 + _CAPTION * len(captions)
    height = max(1, len(rows)) * (_BAR + _BAR_GAP)

    def box(claim: _Claim, y: float, least: float = 0) -> Box:
        inside = [places[start] for start in places if claim.covers(start)]
        letter = _SMALL_LETTER if claim.kind == "range" else _LETTER
        left, right = inside[0][0], inside[-1][0] + inside[-1][1]
        return Box(left, y, right - left - least, _fitting(claim.text, right - left, letter), claim.title, claim.kind)

    overlaps, holes = [], []
    for start, end, width in intervals:
        here = [claim for claim, _ in bars if claim.covers(start)]
        left = places[start][0]
        used = [claim for claim in here if claim.used]
        said = _registers(cls, start, end)
        if len(used) > 1:
            overlaps.append(Box(left, top, width, "", f"{said} is taken by {', '.join(c.text for c in used)}"))
        elif not here:
            behind = any(claim.covers(start) for claim, _ in ranges)
            count = "" if end is None or end == start + 1 else f"{end - start} free"
            kind = "unclaimed" if behind else "free"
            text = _fitting(count, width, _SMALL_LETTER)
            holes.append(Box(left, top, width, text, f"{said}: nothing is declared here", kind))
    return Line(
        height=top + height + _TICKS + 4,
        bars_top=top,
        bars_height=height,
        ticks=tuple((places[start][0], f"{cls}{start}") for start, _, _ in intervals),
        ranges=tuple(box(claim, 2 + _CAPTION * captions[row], 2) for claim, row in ranges),
        bars=tuple(box(claim, top + (_BAR + _BAR_GAP) * rows[row], 2) for claim, row in bars),
        overlaps=tuple(overlaps),
        holes=tuple(holes),
    )


def _packed(claims: list[tuple[_Claim, int]]) -> dict[int, int]:
    """The rows that a line has, numbered without gaps."""
    return {row: number for number, row in enumerate(sorted({row for _, row in claims}))}


def _fitting(text: str, width: float, letter: float = _LETTER) -> str:
    most = int((width - 8) / letter)
    return text if len(text) <= most else f"{text[: most - 1]}…" if most > 1 else ""
