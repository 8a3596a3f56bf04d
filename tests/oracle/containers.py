"""What a compiled container says about bindings: a shader's validation data (PSV0), a library's runtime data (RDAT)."""

from __future__ import annotations

import struct
from typing import NamedTuple

UNBOUNDED = 0xFFFFFFFF

PSV_KINDS = {
    1: ("s", "sampler"),
    2: ("b", "cbuffer"),
    3: ("t", "typed"),
    4: ("t", "raw"),
    5: ("t", "structured"),
    6: ("u", "typed"),
    7: ("u", "raw"),
    8: ("u", "structured"),
    9: ("u", "structured+counter"),
}
"""PSVResourceType -> register class and kind of view (DxilPipelineStateValidation.h)."""


class CompiledBinding(NamedTuple):
    """One resource of a compiled shader. `lower` None: never assigned (libraries); `upper` None: unbounded."""

    cls: str
    space: int
    lower: int | None
    upper: int | None
    kind: str = ""
    name: str = ""

    @property
    def place(self) -> tuple[str, int, int | None, int | None]:
        return self.cls, self.space, self.lower, self.upper


def parts(container: bytes) -> dict[str, bytes]:
    """The parts of a DXBC container by their four-letter names."""
    if container[:4] != b"DXBC":
        return {}
    (count,) = struct.unpack_from("<I", container, 28)
    found = {}
    for offset in struct.unpack_from(f"<{count}I", container, 32):
        name, size = struct.unpack_from("<4sI", container, offset)
        found[name.decode("latin-1")] = container[offset + 8 : offset + 8 + size]
    return found


def bindings(container: bytes) -> list[CompiledBinding]:
    """Every resource that the container binds, in the compiler's order."""
    found = parts(container)
    if "PSV0" in found:
        return _from_psv(found["PSV0"])
    return _from_rdat(found["RDAT"]) if "RDAT" in found else []


def _upper(value: int) -> int | None:
    return None if value == UNBOUNDED else value


def _from_psv(psv: bytes) -> list[CompiledBinding]:
    (info,) = struct.unpack_from("<I", psv, 0)
    (count,) = struct.unpack_from("<I", psv, 4 + info)
    if not count:
        return []
    (record,) = struct.unpack_from("<I", psv, 8 + info)
    rows = []
    for index in range(count):
        kind, space, lower, upper = struct.unpack_from("<4I", psv, 12 + info + index * record)
        cls, view = PSV_KINDS[kind]
        rows.append(CompiledBinding(cls, space, lower, _upper(upper), view))
    return rows


def _from_rdat(rdat: bytes) -> list[CompiledBinding]:
    _, count = struct.unpack_from("<2I", rdat, 0)
    tables = {}
    for offset in struct.unpack_from(f"<{count}I", rdat, 8):
        kind, size = struct.unpack_from("<2I", rdat, offset)
        tables[kind] = rdat[offset + 8 : offset + 8 + size]
    strings, resources = tables.get(1, b""), tables.get(3, b"\0" * 8)
    rows = []
    length, stride = struct.unpack_from("<2I", resources, 0)
    for index in range(length):
        cls, _, _, space, lower, upper, name = struct.unpack_from("<7I", resources, 8 + index * stride)
        text = strings[name : strings.index(b"\0", name)].decode()
        if lower == UNBOUNDED:
            # Without any annotation the space is unassigned too; only where one is given does it say something.
            rows.append(CompiledBinding("tubs"[cls], 0 if space == UNBOUNDED else space, None, None, name=text))
        else:
            rows.append(CompiledBinding("tubs"[cls], space, lower, _upper(upper), name=text))
    return rows
