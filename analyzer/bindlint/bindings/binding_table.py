"""Binding tables: the CSV that `-import-binding-table` and `-binding-table-define` take (lib/DxcBindingTable)."""

from __future__ import annotations

import re

from bindlint.model.registers import RegisterClass

_BINDING = re.compile(r"([btus])(\d{1,40})\Z")
_SPACE = re.compile(r"0[xX][0-9a-fA-F]{1,40}|0|[1-9]\d{0,40}")
_LARGEST = 0xFFFFFFFF
_COLUMNS = ("resourcename", "binding", "space")


def parse_binding_table(text: str) -> tuple[dict[tuple[str, RegisterClass], tuple[int, int]], str]:
    """Rows under a heading row that names the columns in any order, and the first fault ("" where there is none).

    Rows end at a line's end or a semicolon (a comma before that is let be); spaces are decimal or hexadecimal. A row
    that cannot be read is left out.
    """
    rows = [
        [cell.strip().strip('"') for cell in row.strip().removesuffix(",").split(",")]
        for row in re.split(r"[;\n]", text)
        if row.strip()
    ]
    heading = [cell.lower() for cell in rows[0]] if rows else []
    if not set(_COLUMNS) <= set(heading):
        return {}, "its first row must name the columns ResourceName, Binding and Space"
    name, binding, space = (heading.index(column) for column in _COLUMNS)
    found: dict[tuple[str, RegisterClass], tuple[int, int]] = {}
    faults: list[str] = []
    for number, row in enumerate(rows[1:], 2):
        register = _BINDING.match(row[binding].lower()) if len(row) == len(heading) else None
        if len(row) != len(heading):
            fault = f"{len(row)} cells where the heading has {len(heading)}"
        elif register is None or int(register[2]) > _LARGEST:
            fault = f"`{row[binding]}` is no register"
        elif not _SPACE.fullmatch(row[space]) or int(row[space], 0) > _LARGEST:
            fault = f"`{row[space]}` is no register space"
        else:
            cls: RegisterClass = register[1]  # type: ignore[assignment]
            found[row[name], cls] = (int(register[2]), int(row[space], 0))
            continue
        faults.append(f"row {number}: {fault}")
    return found, faults[0] if faults else ""
