"""Binding tables: the CSV that `-import-binding-table` and `-binding-table-define` take (lib/DxcBindingTable)."""

from __future__ import annotations

import re

from bindlint.model.registers import RegisterClass

_BINDING = re.compile(r"([btus])(\d+)\Z")
_COLUMNS = ("resourcename", "binding", "space")


def parse_binding_table(text: str) -> dict[tuple[str, RegisterClass], tuple[int, int]]:
    """Rows under a heading row that names the columns in any order; a row that cannot be read is left out.

    Rows end at a line's end or a semicolon (a comma before that is let be); spaces are decimal or hexadecimal.
    """
    rows = [
        [cell.strip().strip('"') for cell in row.strip().removesuffix(",").split(",")]
        for row in re.split(r"[;\n]", text)
        if row.strip()
    ]
    if not rows:
        return {}
    heading = [cell.lower() for cell in rows[0]]
    if not set(_COLUMNS) <= set(heading):
        return {}
    name, binding, space = (heading.index(column) for column in _COLUMNS)
    found: dict[tuple[str, RegisterClass], tuple[int, int]] = {}
    for row in rows[1:]:
        if len(row) == len(heading):
            register = _BINDING.match(row[binding].lower())
            if register is not None and re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", row[space]):
                cls: RegisterClass = register[1]  # type: ignore[assignment]
                found[row[name], cls] = (int(register[2]), int(row[space], 0))
    return found
