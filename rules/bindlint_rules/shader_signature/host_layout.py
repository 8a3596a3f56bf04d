"""BL317: A C++ structure and the constant buffer that it feeds are laid out differently."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ConstantMember, FedBuffer, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.host import HostMember, HostStruct
from bindlint.rule import Rule

ROW = 16
SCALAR = 4
TIGHT_MATRIX = "XMFLOAT4X3"
"""Four rows of three floats without padding, which no matrix of a constant buffer has."""

Pair = tuple[ConstantMember, HostMember]


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for buffer in analysis.fed:
        name, resource = buffer.struct_name, buffer.resource
        if buffer.struct is not None:
            yield from _held(buffer, buffer.struct)
            continue
        message = f"the layout of `{name}`, which feeds `{resource.name}`, is not told by the files of `[cpp]`"
        symbols = (resource.name, name)
        yield Violation(message, resource.span, certainty="unknown", symbols=symbols, severity="warning")


def _held(buffer: FedBuffer, struct: HostStruct) -> Iterator[Violation]:
    """The first difference, since whatever follows it is moved by the same."""
    name, resource = buffer.struct_name, buffer.resource
    for member, host in _pairs(buffer, struct):
        wrong = _difference(name, member, host)
        if wrong:
            place = Related(f"`{host.name}` of `{name}`", host.span)
            symbols = (resource.name, name, member.name)
            yield Violation(f"`{member.name}` of `{resource.name}` {wrong}", member.span, (place,), symbols=symbols)
            return
    if struct.size < resource.size:
        message = f"`{resource.name}` is {resource.size} bytes large, but `{name}` of C++ is {struct.size}"
        place = Related(f"`{name}`", struct.span)
        yield Violation(message, resource.span, (place,), symbols=(resource.name, name))


def _pairs(buffer: FedBuffer, struct: HostStruct) -> list[Pair]:
    """Members of the same name; by their order where no name is the same and there are as many."""
    known = {_plain(host.name): host for host in struct.members}
    found = [(member, known[_plain(member.name)]) for member in buffer.members if _plain(member.name) in known]
    if not found and len(buffer.members) == len(struct.members):
        return list(zip(buffer.members, struct.members, strict=True))
    return found


def _plain(name: str) -> str:
    """A name without the habits of either language."""
    return name.removeprefix("m_").removeprefix("g_").replace("_", "").lower()


def _difference(name: str, member: ConstantMember, host: HostMember) -> str:
    subject = f"`{host.name}` of `{name}`"
    if host.offset != member.offset:
        missing = member.offset - host.offset
        remedy = f"; {missing} bytes of padding are missing before it" if missing > 0 else ""
        return f"is at byte {member.offset}, but {subject} at byte {host.offset} in C++{remedy}"
    if host.type.rpartition(":")[2].strip().startswith(TIGHT_MATRIX):
        remedy = "XMFLOAT3X4 holds it transposed"
        return f"has rows of 16 bytes, but {subject} is a {host.type}, whose rows have 12; {remedy}"
    # What fills a row to its end harms nothing; what comes next is held against its own offset.
    room = member.size if member.size <= SCALAR else -(-member.size // ROW) * ROW
    if not member.size <= host.size <= room:
        apart = f" (array elements stand {member.stride} bytes apart)" if member.stride else ""
        return f"takes {member.size} bytes{apart}, but {subject} takes {host.size} in C++, both at byte {member.offset}"
    return ""


RULE = Rule(
    "BL317",
    "host-layout",
    "error",
    "shader",
    "A C++ structure and the constant buffer that it feeds are laid out differently",
    check,
)
