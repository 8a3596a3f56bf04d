"""The plain tree of a root-signature string, and how the parser's reductions build it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from bindlint_grammars.root_signature import names
from bindlint_grammars.root_signature.faults import Fault, unknown_name

if TYPE_CHECKING:
    from lark import Token

MAX_UINT = 0xFFFFFFFF
MAX_INT = 0x7FFFFFFF
MAX_FLOAT = 3.4028234663852886e38
MIN_NORMAL_DOUBLE = 2.2250738585072014e-308
"""Below it C's strtod reports a range error, which DXC takes for an unknown token."""
MAX_TOKEN_LENGTH = 127


class Argument(NamedTuple):
    """One argument of a clause, under its keyword in lower case or "register"; `start` and `end` count characters.

    "Unbounded" and "append" are 4294967295, as in D3D12. A value that cannot be read is 0 and has a fault.
    """

    name: str
    value: Any
    start: int
    end: int
    faults: tuple[Fault, ...] = ()


class Clause(NamedTuple):
    """A root parameter, a static sampler, the root flags (one argument "flags"), or a range of a table.

    `kind` is its keyword in lower case, such as "descriptortable".
    """

    kind: str
    arguments: tuple[Argument, ...]
    start: int
    end: int
    ranges: tuple[Clause, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        return {argument.name: argument.value for argument in self.arguments}


class Parsed(NamedTuple):
    """The clauses that could be read, and every fault up to the first syntax error, by place."""

    clauses: tuple[Clause, ...]
    faults: tuple[Fault, ...]


NAME_KINDS = {
    "ROOT_FLAGS": "a root signature flag",
    "FLAGS": "a flag",
    "VISIBILITY": "a shader visibility (`SHADER_VISIBILITY_...`)",
    "FILTER": "a filter (`FILTER_...`)",
    "ADDRESS": "a texture address mode (`TEXTURE_ADDRESS_...`)",
    "COMPARISON": "a comparison function (`COMPARISON_...`)",
    "BORDER": "a border color (`STATIC_BORDER_COLOR_...`)",
}
"""What a name after the keyword of this terminal is."""

REGISTER_NAMES = {
    "rootconstants": "`b` register",
    "cbv": "`b` register",
    "srv": "`t` register",
    "uav": "`u` register",
    "sampler": "`s` register",
    "staticsampler": "`s` register",
}

Reduction = Callable[[list[Any]], Any]


def _number(token: Token, limit: int = MAX_UINT) -> tuple[int, tuple[Fault, ...]]:
    value = int(token)
    if -limit - 1 <= value <= limit:
        return value, ()
    return 0, (Fault(token.start_pos or 0, token.end_pos or 0, f"`{token}` does not fit into 32 bits"),)


def _float(token: Token) -> tuple[float, tuple[Fault, ...]]:
    """As DXC reads it: whole numbers are 32-bit integers first, all others doubles, rounded to single precision."""
    if token.lstrip("+-").isdecimal():
        return _number(token, MAX_INT if token.startswith("-") else MAX_UINT)
    value = float(token.rstrip("fF"))
    zero = not token.lower().split("e")[0].strip("+-.0f")
    if (zero or abs(value) >= MIN_NORMAL_DOUBLE) and abs(value) <= MAX_FLOAT and len(token) <= MAX_TOKEN_LENGTH:
        return struct.unpack("<f", struct.pack("<f", value))[0], ()
    return 0.0, (Fault(token.start_pos or 0, token.end_pos or 0, f"`{token}` is no number in single precision"),)


def _register(children: list[Any]) -> Argument:
    token = children[0]
    digits = token[1:]
    while not digits.isdecimal():
        digits = digits[:-1]
    value, faults = (int(digits), ()) if int(digits) <= MAX_UINT else (0, (_too_high(token),))
    return Argument("register", value, token.start_pos, token.end_pos, faults)


def _too_high(token: Token) -> Fault:
    return Fault(token.start_pos or 0, token.end_pos or 0, f"`{token}`: the last register is {token[0]}{MAX_UINT}")


def _enumeration(known: dict[str, int]) -> Reduction:
    def reduce(children: list[Any]) -> Argument:
        keyword, _, name = children
        value = known.get(name.upper())
        fault = value is None and unknown_name(name, NAME_KINDS[keyword.type], known, name.start_pos, name.end_pos)
        return Argument(keyword.lower(), value or 0, keyword.start_pos, name.end_pos, (fault,) if fault else ())

    return reduce


def _amount(children: list[Any]) -> Argument:
    keyword, _, token = children
    value, faults = _number(token) if token.type == "UINT" else (MAX_UINT, ())
    return Argument(keyword.lower(), value, keyword.start_pos, token.end_pos, faults)


def _level(children: list[Any]) -> Argument:
    keyword, _, token = children
    value, faults = _float(token)
    return Argument(keyword.lower(), value, keyword.start_pos, token.end_pos, faults)


def _flags(children: list[Any]) -> Argument:
    """The value is still the flags' tokens: which flags exist is for the clause that they stand in to say."""
    keyword, _, value = children
    flags = value if isinstance(value, list) else []
    return Argument("flags", flags, keyword.start_pos, flags[-1].end_pos if flags else value.end_pos)


def _with_flags(argument: Argument, kind: str, known: dict[str, int]) -> Argument:
    value, faults = 0, []
    for token in argument.value:
        if token.upper() in known:
            value |= known[token.upper()]
        else:
            faults.append(unknown_name(token, kind, known, token.start_pos, token.end_pos))
    return argument._replace(value=value, faults=tuple(faults))


def _root_flags(children: list[Any]) -> Clause:
    keyword, _, value, end = children
    flags = Argument("flags", value if isinstance(value, list) else [], keyword.start_pos, end.end_pos)
    flags = _with_flags(flags, NAME_KINDS["ROOT_FLAGS"], names.ROOT_FLAGS)
    return Clause("rootflags", (flags,), keyword.start_pos, end.end_pos, (), flags.faults)


def _clause(flag_kind: str, known_flags: dict[str, int]) -> Reduction:
    def reduce(children: list[Any]) -> Clause:
        keyword, end = children[0], children[-1]
        arguments: dict[str, Argument] = {}
        ranges: list[Clause] = []
        faults: list[Fault] = []
        for child in children:
            if isinstance(child, Clause):
                ranges.append(child)
                faults += child.faults
            elif isinstance(child, Argument):
                if child.name == "flags":
                    child = _with_flags(child, flag_kind, known_flags)
                if child.name in arguments:
                    faults.append(Fault(child.start, child.end, f"the {child.name} of {keyword} is given twice"))
                arguments.setdefault(child.name, child)
                faults += child.faults
        kind = keyword.lower()
        missing = [REGISTER_NAMES[kind]] if kind in REGISTER_NAMES and "register" not in arguments else []
        if kind == "rootconstants" and "num32bitconstants" not in arguments:
            missing.append("num32BitConstants")
        faults += [Fault(keyword.start_pos, end.end_pos, f"{keyword} has no {what}") for what in missing]
        found = tuple(arguments.values())
        return Clause(kind, found, keyword.start_pos, end.end_pos, tuple(ranges), tuple(faults))

    return reduce


_SAMPLER_FLAG_NAMES = names.SAMPLER_FLAGS | {f"SAMPLER_FLAG_{name}": bit for name, bit in names.SAMPLER_FLAGS.items()}

_root_parameter = _clause("a root descriptor flag (`DATA_...`)", names.DESCRIPTOR_FLAGS)
_static_sampler = _clause("a static sampler flag", _SAMPLER_FLAG_NAMES)
_range = _clause("a descriptor range flag (`DESCRIPTORS_...` or `DATA_...`)", names.RANGE_FLAGS)


class Builder:
    """What each rule of the grammar becomes; the parser calls these with the parts that it reduces."""

    @staticmethod
    def start(children: list[Any]) -> list[Clause]:
        return [child for child in children if isinstance(child, Clause)]

    @staticmethod
    def flag_names(children: list[Any]) -> list[Token]:
        return children[::2]

    root_flags = staticmethod(_root_flags)
    root_constants = root_cbv = root_srv = root_uav = table = staticmethod(_root_parameter)
    static_sampler = staticmethod(_static_sampler)
    cbv_range = srv_range = uav_range = sampler_range = staticmethod(_range)
    b_register = t_register = u_register = s_register = staticmethod(_register)
    space = num_constants = num_descriptors = offset = anisotropy = staticmethod(_amount)
    level = staticmethod(_level)
    flags = staticmethod(_flags)
    visibility = staticmethod(_enumeration(names.VISIBILITIES))
    filter = staticmethod(_enumeration(names.FILTERS))
    address = staticmethod(_enumeration(names.ADDRESS_MODES))
    comparison = staticmethod(_enumeration(names.COMPARISONS))
    border = staticmethod(_enumeration(names.BORDER_COLORS))
