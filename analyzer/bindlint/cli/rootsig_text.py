"""The table of a root signature for people: with lines and colours in a terminal, plain in a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bindlint.report.terminal import columns, escape, width
from bindlint.rootsig.table import IDENTIFIER_BYTES, ParameterRow, SamplerRow, Table

_LAYOUT = ("INDEX", "KIND", "REGISTERS", "HEAP", "COUNT", "VISIBILITY", "FLAGS", "DWORDS", "TOTAL", "DECLARED")
_RECORD = ("INDEX", "KIND", "REGISTERS", "HEAP", "COUNT", "FLAGS", "RECORD BYTES", "SIZE", "DECLARED")
_CALLS = ("INDEX", "SET BY (GRAPHICS)", "SET BY (COMPUTE)", "WHAT IS SET AT DRAW")
_SAMPLERS = ("SAMPLER", "REGISTER", "FILTER", "ADDRESS U V W", "COMPARISON", "BORDER", "ANISOTROPY", "BIAS", "LOD")
_SAMPLERS_END = ("VISIBILITY", "DECLARED")

_KINDS = {"table": "table", "constants": "constants", "cbv": "root CBV", "srv": "root SRV", "uav": "root UAV"}
_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "red")

_RULES = 12
"""Columns that the lines of a table take beyond what plain columns do."""

Rows = list[tuple[str, ...]]


def head_of(table: Table) -> str:
    name = f" {table.name}" if table.name else ""
    flags = "" if table.flags == () else f", flags {_flags(table.flags)}"
    kind = "local root signature" if table.local else "root signature"
    when = " and ".join(f"not `{each[1:]}`" if each[0] == "!" else f"`{each}`" for each in table.when)
    return escape(f"{kind}{name}, version {table.version}{flags}" + (f", where {when}" if when else ""))


def budget_of(table: Table) -> str:
    """The cost in words; "at least" where not every part could be read."""
    least = "at least " if table.cost is None else ""
    used, what = (table.least_record_bytes or 0, "bytes") if table.local else (table.least_cost, "DWORDs")
    over = f", {used - table.limit} too many" if used > table.limit else ""
    record = ""
    if table.local:
        whole = IDENTIFIER_BYTES + used
        record = f"; a shader record of {IDENTIFIER_BYTES} + {used} bytes takes {least}{_aligned(whole)}"
    return f"{least}{used} of {table.limit} {what}{over}{record}"


def hardware_of(table: Table) -> Iterator[str]:
    """The tier that the signature needs, and below it a line for each reason."""
    need = table.hardware
    least = "at least " if table.faults else ""
    if need.tier is None:
        yield "no resource binding tier takes it:"
    elif need.reasons:
        yield f"needs {least}resource binding tier {need.tier}, feature level {need.feature_level}:"
    else:
        yield f"needs {least}resource binding tier {need.tier}"
    yield from (escape(f"  {reason}") for reason in need.reasons)


def _aligned(size: int) -> int:
    return (size + 31) // 32 * 32


def layout_rows(table: Table) -> Rows:
    """A row a parameter, and beneath a table one a range."""
    return [row for parameter in table.parameters for row in _parameter(parameter, bool(table.local))]


def _parameter(row: ParameterRow, local: bool) -> Iterator[tuple[str, ...]]:
    flags = _flags(row.flags)
    kind = _KINDS[row.kind]
    open_count = "count" in row.unknown or "ranges" in row.unknown or any("count" in p.unknown for p in row.ranges)
    start = (str(row.index), kind, row.registers, row.heap, _many(row.count, open_count))
    if local:
        first, size = row.record_offset, row.record_bytes
        last = "?" if first is None or size is None else first + size - 1
        yield *start, flags, f"{_known(first)}-{last}", _known(size), row.declared
    else:
        yield *start, _known(row.visibility), flags, _known(row.cost), _known(row.total), row.declared
    for part in row.ranges:
        many = _many(part.descriptors, "count" in part.unknown)
        inner = ("", f"  {part.view} at {_known(part.start)}", part.registers, "", many)
        after = (_flags(part.flags), "", "", part.declared)
        yield (*inner, *after) if local else (*inner, "", *after)


def _known(value: object) -> str:
    return "?" if value is None else str(value)


def _many(count: int | None, is_open: bool) -> str:
    return "?" if is_open else "unbounded" if count is None else str(count)


def _flags(flags: tuple[str, ...] | None) -> str:
    return "?" if flags is None else " | ".join(flags)


def call_rows(table: Table) -> Rows:
    return [(str(row.index), row.graphics_call, row.compute_call, row.at_draw) for row in table.parameters]


def sampler_rows(table: Table) -> Rows:
    return [_sampler(row) for row in table.static_samplers]


def _sampler(row: SamplerRow) -> tuple[str, ...]:
    modes = tuple(map(_known, row.address))
    address = " ".join(modes if len(set(modes)) > 1 else modes[:1])
    cells = (row.index, row.registers, row.filter, address, row.comparison, row.border_color, row.max_anisotropy)
    flags = "" if row.flags == () else f" {_flags(row.flags)}"
    lod = f"{_known(row.min_lod)} to {_known(row.max_lod)}{flags}"
    return (*map(_known, cells), _known(row.mip_lod_bias), lod, _known(row.visibility), row.declared)


def sections(table: Table) -> Iterator[tuple[tuple[str, ...], Rows]]:
    """Each part of the table with its headings; a part without rows is left out."""
    parts: list[tuple[tuple[str, ...], Rows]] = [(_RECORD if table.local else _LAYOUT, layout_rows(table))]
    if not table.local:
        parts.append((_CALLS, call_rows(table)))
    parts.append(((*_SAMPLERS, *_SAMPLERS_END), sampler_rows(table)))
    return ((head, rows) for head, rows in parts if rows)


def plain(table: Table) -> Iterator[str]:
    """Lines for a pipe."""
    yield head_of(table)
    for head, rows in sections(table):
        yield ""
        shown = _without_empty((head, *(tuple(map(escape, row)) for row in rows)))
        yield from (f"  {line}" for line in columns(shown))
    yield ""
    yield f"  {_bar(table)} {budget_of(table)}"
    yield from (f"  {line}" for line in hardware_of(table))
    yield from (f"  fault: {escape(fault)}" for fault in table.faults)


def _without_empty(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Rows without the columns in which only the heading says anything."""
    kept = [index for index in range(len(rows[0])) if any(row[index] for row in rows[1:])]
    return [tuple(row[index] for index in kept) for row in rows]


def _shares(table: Table, cells: int = 64) -> list[int]:
    """How many cells of a bar each parameter takes; never more together than the bar has."""
    sizes = [(row.record_bytes if table.local else row.cost) or 0 for row in table.parameters]
    left = cells
    shares = []
    for size in sizes:
        share = min(-(-size * cells // table.limit), left)
        shares.append(share)
        left -= share
    return shares


def _bar(table: Table) -> str:
    filled = "".join(str(row.index % 10) * share for row, share in zip(table.parameters, _shares(table), strict=True))
    return f"[{filled:.<64}]"


def rich_print(tables: Sequence[Table]) -> None:
    """The same for a terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console()
    for table in tables:
        lines = list(plain(table))
        if max(map(width, lines)) + _RULES > console.width:
            # Cells that are broken over many lines read worse than lines that the terminal breaks.
            console.out("\n".join(lines), highlight=False)
            continue
        console.print(Text(head_of(table), style="bold"))
        for head, rows in sections(table):
            shown = _without_empty((head, *(tuple(map(escape, row)) for row in rows)))
            grid = Grid(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
            for heading in shown[0]:
                number = heading in ("COUNT", "DWORDS", "TOTAL", "SIZE")
                grid.add_column(heading, justify="right" if number else "left", overflow="fold")
            for row in shown[1:]:
                style = f"bold {_COLOURS[int(row[0]) % len(_COLOURS)]}" if row[0] else "dim"
                grid.add_row(Text(row[0], style), *(Text(cell, "" if row[0] else "dim") for cell in row[1:]))
            console.print(grid)
        bar = Text()
        for parameter, share in zip(table.parameters, _shares(table), strict=True):
            bar.append("\u2588" * share, _COLOURS[parameter.index % len(_COLOURS)])
        bar.append("\u2591" * (64 - len(bar)), "dim")
        bar.append(f" {budget_of(table)}", "bold red" if "too many" in budget_of(table) else "bold")
        console.print(bar)
        for line in hardware_of(table):
            console.print(Text(line))
        for fault in table.faults:
            console.print(Text(f"fault: {escape(fault)}", "bold red"))
        console.print()
