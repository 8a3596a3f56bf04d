"""Whole analyses: no input raises, no rule crashes, and the order of declarations changes no verdict."""

from __future__ import annotations

from random import Random

from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine, Report
from bindlint.model.shader import Shader
from bindlint.plugins import load_rules
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from oracle.shaders import generate

ENGINE = Engine(load_rules())
JUNK = ("{", "}", "(", ")", "[", "]", "<", ">", ";", ":", "#", "\\\n", '"', "/*", "#if 1\n", "#define x(", "é", "\0")


def judged(text: str, shader: Shader) -> Report:
    analyser = Analyser()
    analyser.overlay("/memory/shader.hlsl", text.encode())
    return ENGINE.check(analyser.analyse(replace(shader, file="/memory/shader.hlsl")))


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_broken_shaders_end_in_findings(seed: int, random: Random) -> None:
    generated = generate(seed)
    text = generated.source
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(text) + 1)
        end = start + random.choice((0, 0, 1, 3, 40))
        text = text[:start] + random.choice(("", *JUNK)) + text[end:]
    report = judged(text, parse_arguments(generated.arguments).shader)
    assert "BL090" not in {finding.code for finding in report.findings}


@settings(max_examples=60)
@given(st.text(alphabet='abT2D<>{}()[];:,#"\\/* \n0', max_size=80))
def test_any_text_is_read(text: str) -> None:
    judged(text, parse_arguments(["-T", "ps_6_0", "-E", "main"]).shader)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from("tu"), st.integers(0, 8), st.sampled_from((1, 1, 3, None)), st.integers(0, 1)),
        min_size=2,
        max_size=7,
    ),
    st.randoms(use_true_random=False),
)
def test_order_of_declarations_changes_no_overlap(
    places: list[tuple[str, int, int | None, int]], random: Random
) -> None:
    lines, uses = [], []
    for number, (letter, base, size, space) in enumerate(places):
        kind = "ByteAddressBuffer" if letter == "t" else "RWByteAddressBuffer"
        array = "" if size == 1 else f"[{size or ''}]"
        lines.append(f"{kind} r{number}{array} : register({letter}{base}, space{space});\n")
        element = f"r{number}" if size == 1 else f"r{number}[at]"
        uses.append(f"sum += {element}.Load(at);" if letter == "t" else f"{element}.Store(at, sum);")
    main = f"uint main(uint at : AT) : SV_Target {{ uint sum = at; {' '.join(uses)} return sum; }}\n"
    shader = parse_arguments(["-T", "ps_6_0", "-E", "main"]).shader

    def overlaps() -> set[frozenset[str]]:
        report = judged("".join(lines) + main, shader)
        return {frozenset(f.violation.symbols) for f in report.findings if f.code == "BL103"}

    before = overlaps()
    random.shuffle(lines)
    assert overlaps() == before
