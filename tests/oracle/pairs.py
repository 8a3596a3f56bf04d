"""Generated shaders with generated root signatures: such as fit, and such of which one thing or several are edited."""

from __future__ import annotations

from random import Random

from bindlint.model.binding import ShaderAnalysis
from oracle.signature_mutants import Parameter, Range, edit

ON_ROOT = ("cbuffer", "structured", "raw", "structured+counter")
STAGES = {"ps": "PIXEL", "vs": "VERTEX"}


def signature_for(seed: int, analysis: ShaderAnalysis) -> str:
    """The definition of a macro SIGNATURE with a root signature that the shader fits; of two in three something is
    edited then."""
    random = Random(f"pair {seed}")
    assert analysis.shader.profile is not None
    own = STAGES.get(analysis.shader.profile.stage, "")

    def shown() -> str:
        return own if own and random.random() < 0.4 else "ALL"

    parameters: list[Parameter] = []
    tables: dict[bool, list[Range]] = {False: [], True: []}
    for binding in analysis.bindings:
        at = binding.registers
        if not binding.used or at is None:
            continue
        part = Range(at.cls, at.lower, at.space, -1 if at.upper is None else at.upper - at.lower + 1)
        if part.count == 1 and at.cls == "s" and random.random() < 0.5:
            parameters.append(Parameter("static", [part], shown()))
        elif part.count == 1 and binding.view in ON_ROOT and at.cls != "s" and random.random() < 0.4:
            kind = "constants" if at.cls == "b" and random.random() < 0.5 else "descriptor"
            parameters.append(Parameter(kind, [part], shown()))
        else:
            tables[at.cls == "s"].append(part)
    for ranges in tables.values():
        random.shuffle(ranges)
        while ranges:
            # What follows an unbounded range needs an offset, so that it stands last.
            size = random.randint(1, 4)
            chosen = sorted(ranges[:size], key=lambda part: part.count < 0)
            unbounded = [part for part in chosen if part.count < 0]
            parameters.append(Parameter("table", [p for p in chosen if p not in unbounded] + unbounded[:1], shown()))
            parameters += (Parameter("table", [part], shown()) for part in unbounded[1:])
            del ranges[:size]
    parameters = [parameter for parameter in parameters if parameter.ranges]
    random.shuffle(parameters)
    flags = ["ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"] if random.random() < 0.7 else []
    for _ in range(random.choice((0, 1, 1, 1, 2, 3)) if parameters else 0):
        edit(random, parameters, flags)
    clauses = [f"RootFlags({' | '.join(flags) or '0'})", *(parameter.text() for parameter in parameters)]
    return f'#define SIGNATURE "{", ".join(clauses)}"\n'
