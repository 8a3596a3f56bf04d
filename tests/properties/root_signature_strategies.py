"""Root-signature strings for tests: right ones, nearly right ones, and broken ones."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

STAGES = ("VERTEX", "HULL", "DOMAIN", "GEOMETRY", "PIXEL", "AMPLIFICATION", "MESH")
ROOT_FLAGS = (
    "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT",
    "ALLOW_STREAM_OUTPUT",
    "LOCAL_ROOT_SIGNATURE",
    "CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED",
    "SAMPLER_HEAP_DIRECTLY_INDEXED",
    *(f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in STAGES),
)
DATA_FLAGS = ("DATA_VOLATILE", "DATA_STATIC", "DATA_STATIC_WHILE_SET_AT_EXECUTE")
RANGE_FLAGS = (*DATA_FLAGS, "DESCRIPTORS_VOLATILE", "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS")
FILTER_KINDS = (
    "MIN_MAG_MIP_POINT",
    "MIN_MAG_POINT_MIP_LINEAR",
    "MIN_POINT_MAG_LINEAR_MIP_POINT",
    "MIN_POINT_MAG_MIP_LINEAR",
    "MIN_LINEAR_MAG_MIP_POINT",
    "MIN_LINEAR_MAG_POINT_MIP_LINEAR",
    "MIN_MAG_LINEAR_MIP_POINT",
    "MIN_MAG_MIP_LINEAR",
    "ANISOTROPIC",
)
FILTERS = tuple(f"FILTER_{base}{kind}" for base in ("", "COMPARISON_", "MINIMUM_", "MAXIMUM_") for kind in FILTER_KINDS)
ADDRESSES = tuple(f"TEXTURE_ADDRESS_{mode}" for mode in ("WRAP", "MIRROR", "CLAMP", "BORDER", "MIRROR_ONCE"))
COMPARISONS = tuple(
    f"COMPARISON_{name}"
    for name in ("NEVER", "LESS", "EQUAL", "LESS_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_EQUAL", "ALWAYS")
)
BORDERS = tuple(
    f"STATIC_BORDER_COLOR_{name}"
    for name in ("TRANSPARENT_BLACK", "OPAQUE_BLACK", "OPAQUE_WHITE", "OPAQUE_BLACK_UINT", "OPAQUE_WHITE_UINT")
)
NUMBERS = ("0", "1", "16", "-3", "+2", "0.5f", ".25", "5.", "-1.5e1", "15.99", "15.991", "1e10", "3.402823466e+38f")
ODD_NUMBERS = ("1e400", "nan", "1e", "4294967296", "-2147483649", "1e-310", "99999999999.0", "--1", "0x10")
COUNTS = ("1", "2", "3", "8", "unbounded")
ODD_COUNTS = ("0", "4294967295", "4294967296", "-1", "Unbounded", "1.0", "+4")
LETTERS = {"CBV": "b", "SRV": "t", "UAV": "u", "Sampler": "s"}
JUNK = (",", "(", ")", "=", "|", "0", "1", "b0", "t1", "space", "space=1", "CBV", "x", "\t", "é", ";", "flags=0", "  ")


class SignatureWriter:
    """Writes root signatures; `oddity` is the chance of each unusual choice."""

    def __init__(self, random: Random, oddity: float = 0.02) -> None:
        self.random = random
        self.oddity = oddity

    def odd(self) -> bool:
        return self.random.random() < self.oddity

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def cased(self, word: str) -> str:
        return self.random.choice((word.lower, word.upper, word.swapcase))() if self.odd() else word

    def gap(self) -> str:
        return self.random.choice(("", "", " ", "  "))

    def register(self, letter: str) -> str:
        if self.odd():
            letter = self.random.choice("btusB")
        number = self.random.choice((0, 4294967295, 4294967296, "007", "0x5", "")) if self.odd() else None
        return f"{letter}{self.random.randrange(24) if number is None else number}"

    def space(self) -> str:
        value = self.random.choice((1, 2, 3, 7, 100))
        if self.odd():
            value = self.random.choice((0xFFFFFFEF, 0xFFFFFFF0, 0xFFFFFFFF))
        return self.assign("space", value)

    def visibility(self) -> str:
        return self.assign("visibility", "SHADER_VISIBILITY_" + self.random.choice(("ALL", *STAGES)))

    def assign(self, name: str, value: object) -> str:
        return f"{self.cased(name)}{self.gap()}={self.gap()}{value}"

    def flags(self, known: tuple[str, ...]) -> str:
        if self.chance(0.15):
            return "0"
        return " | ".join(self.cased(flag) for flag in self.random.choices(known, k=1 if self.chance(0.8) else 2))

    def call(self, keyword: str, arguments: list[str]) -> str:
        if self.odd() and arguments:
            arguments.append(self.random.choice(arguments))
        if self.odd() and arguments:
            arguments.pop(self.random.randrange(len(arguments)))
        if self.chance(0.2):
            self.random.shuffle(arguments)
        separator = self.gap() + "," + self.gap()
        return f"{self.cased(keyword)}{self.gap()}({self.gap()}{separator.join(arguments)}{self.gap()})"

    def some(self, *options: tuple[float, str]) -> list[str]:
        return [text for share, text in options if self.chance(share)]

    def root_descriptor(self) -> str:
        kind = self.random.choice(("CBV", "SRV", "UAV"))
        rest = self.some(
            (0.3, self.space()), (0.3, self.visibility()), (0.2, self.assign("flags", self.flags(DATA_FLAGS)))
        )
        return self.call(kind, [self.register(LETTERS[kind]), *rest])

    def constants(self) -> str:
        count = self.assign("num32BitConstants", self.random.choice((1, 3, 4, 16)))
        rest = self.some((0.3, self.space()), (0.3, self.visibility()))
        return self.call("RootConstants", [count, self.register("b"), *rest])

    def range(self, kind: str) -> str:
        count = self.random.choice(ODD_COUNTS) if self.odd() else self.random.choice(COUNTS)
        offset = self.random.choice(("0", "4", "DESCRIPTOR_RANGE_OFFSET_APPEND"))
        flags = ("DESCRIPTORS_VOLATILE",) if kind == "Sampler" and not self.odd() else RANGE_FLAGS
        rest = self.some(
            (0.5, self.assign("numDescriptors", count)),
            (0.3, self.space()),
            (0.2, self.assign("offset", offset)),
            (0.2, self.assign("flags", self.flags(flags))),
        )
        return self.call(kind, [self.register(LETTERS[kind]), *rest])

    def table(self) -> str:
        kinds = ("Sampler",) if self.chance(0.2) else ("CBV", "SRV", "UAV")
        if self.odd():
            kinds = ("Sampler", "SRV")
        ranges = [self.range(self.random.choice(kinds)) for _ in range(self.random.choice((1, 1, 2, 3)))]
        return self.call("DescriptorTable", ranges + self.some((0.3, self.visibility())))

    def sampler(self) -> str:
        number = self.random.choice(ODD_NUMBERS if self.odd() else NUMBERS)
        addresses = [(0.3, self.assign(f"address{axis}", self.random.choice(ADDRESSES))) for axis in "UVW"]
        rest = self.some(
            (0.6, self.assign("filter", self.cased(self.random.choice(FILTERS)))),
            *addresses,
            (0.2, self.assign("mipLODBias", number)),
            (0.2, self.assign("maxAnisotropy", self.random.choice(("0", "1", "8", "16", "17")))),
            (0.2, self.assign("comparisonFunc", self.random.choice(COMPARISONS))),
            (0.2, self.assign("borderColor", self.random.choice(BORDERS))),
            (0.2, self.assign("minLOD", number)),
            (0.2, self.assign("maxLOD", number)),
            (0.2, self.space()),
            (0.3, self.visibility()),
        )
        return self.call("StaticSampler", [self.register("s"), *rest])

    def signature(self) -> str:
        """A signature that is right but for registers that may collide and the odd choices."""
        makers = (self.root_descriptor, self.constants, self.table, self.table, self.sampler)
        clauses = [self.random.choice(makers)() for _ in range(self.random.choice((0, 1, 1, 2, 3, 4, 6)))]
        if self.chance(0.4):
            clauses.insert(0, self.call("RootFlags", [self.flags(ROOT_FLAGS)]))
        return f"{self.gap()},{self.gap()}".join(clauses) + ("," if self.odd() and clauses else "")

    def broken(self) -> str:
        """A signature with one stretch taken out, put in or replaced."""
        text = self.signature()
        start = self.random.randrange(len(text) + 1)
        end = min(len(text), start + self.random.choice((0, 0, 1, 1, 2, 5)))
        return text[:start] + self.random.choice(("", *JUNK)) + text[end:]


def signature_texts(oddity: float = 0.02) -> st.SearchStrategy[str]:
    """Root-signature strings as a programmer means them."""
    return st.randoms(use_true_random=False).map(lambda random: SignatureWriter(random, oddity).signature())


def broken_signature_texts() -> st.SearchStrategy[str]:
    """Root-signature strings with one slip of the hand."""
    return st.randoms(use_true_random=False).map(lambda random: SignatureWriter(random).broken())
