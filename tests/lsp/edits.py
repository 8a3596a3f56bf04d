"""A small project, random edits of it, and what a fresh `check` says of the result."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from bindlint.cli.check import command
from click.testing import CliRunner
from lsprotocol import types

Said = tuple[str, str, str, str, int, int, int, int]
"""Code, severity, message and place of a finding, the place as spans have it."""

PROJECT = {
    "common.hlsli": """\
#ifndef COMMON
#define COMMON
#define SLOT 3
#define TEX(n) register(t##n)
// \U0001f600 \u00e4\u00f6\u00fc: a comment whose columns differ by how they are counted
Texture2D<float4> Albedo : register(t0); /* \U0001f980 */ SamplerState Linear : register(s0);
struct Light { float4 place; float4 color; };
StructuredBuffer<Light> Lights : register(t1, space1);
float4 light(uint i) { return Lights[i].color; }
#endif
""",
    "signature.hlsli": """\
#define RS "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT)," \\
    "CBV(b0), DescriptorTable(SRV(t0, numDescriptors = 4), UAV(u0))," \\
    "SRV(t1, space = 1), StaticSampler(s0)"
""",
    "draw.hlsl": """\
#include "common.hlsli"
#include "signature.hlsli"
cbuffer Frame : register(b0) { float4x4 view; float4 tint; }
Texture2D<float4> Detail : TEX(3);
Texture2D<float4> Sky : register(t2); // bindlint: allow(register-overlap) \U0001f30c
struct Out { float4 place : SV_Position; float2 uv : TEXCOORD0; };
[RootSignature(RS)]
Out VSMain(uint id : SV_VertexID) { Out o; o.place = mul(view, float4(id, 0, 0, 1)); o.uv = 0; return o; }
[RootSignature(RS)]
float4 PSMain(Out i) : SV_Target
{
    return Albedo.Sample(Linear, i.uv) + Detail.Load(0) + Sky.Load(0) * tint + light(2);
}
""",
    "work.hlsl": """\
#include "common.hlsli"
#include "signature.hlsli"
RWTexture2D<float4> Target : register(u0);
RWStructuredBuffer<float4> Spare;
[RootSignature(RS)]
[numthreads(8, 8, 1)]
void CSMain(uint3 id : SV_DispatchThreadID) { Target[id.xy] = Albedo[id.xy] + light(id.x); Spare[id.x] = 1; }
""",
    "shared/unused.hlsli": "Texture2D<float4> Lonely : register(t0);\r\nTexture2D<float4> Other : register(u1);\r\n",
}

_SNIPPETS = (
    *"(){}[];,\"'#/*\\\n \t:0123456789tubsx",
    "register(t0)",
    "register(t1, space1)",
    "register(u2)",
    " : register(b0)",
    "Texture2D<float4> More : register(t0);\n",
    "RWBuffer<uint> Raw : register(u0);\n",
    "cbuffer Extra { float4 extra; }\n",
    '#include "common.hlsli"\n',
    '#include "shared/unused.hlsli"\n',
    '#include "absent.hlsli"\n',
    "#define SLOT 4\n",
    "#if SLOT > 3\n",
    "#endif\n",
    "#undef TEX\n",
    "// bindlint: allow(register-class)\n",
    "// bindlint: allow-file(unbound-resource)\n",
    "/* \U0001f600 */",
    "\u00e4",
    "\U0001f980\u20ac",
    "\r\n",
    "\r",
    "\u2028",
    "\x0c",
    "DescriptorTable(SRV(t5)),",
    "CBV(b1),",
    "Sky.Load(0)",
    "Lonely.Load(0)",
    "float4 spare = Detail.Load(1);",
)


HOST_SNIPPETS = (
    *"(){}[];,\"'#/*\\\n 0123",
    "PIXEL",
    "VERTEX",
    "parameters[0]",
    "ranges[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 1, 0);\n",
    "parameters[1].InitAsShaderResourceView(0);\n",
    "list->SetGraphicsRootDescriptorTable(1, place);\n",
    '#include "Sky.h"\n',
    "#define SLOT 1\n",
    "#if SLOT > 0\n",
    "#endif\n",
    "// bindlint: allow(wrong-root-argument)\n",
    "// bindlint: allow-file(unbound-resource)\n",
    "/* \U0001f600 */",
    "\r\n",
    "if (fog) ",
    "void Other() {\n",
    "}\n",
)


def random_change(
    text: str, random: random.Random, snippets: Sequence[str] = _SNIPPETS
) -> tuple[types.TextDocumentContentChangeEvent, str]:
    """Some change to a text, and what it makes of it: mostly small, sometimes a line taken out, put in or moved."""
    if random.random() < 0.01:
        return types.TextDocumentContentChangeWholeDocument(text), text
    lines = text.splitlines(keepends=True) if random.random() < 0.3 else []
    if lines:
        line = random.choice(lines)
        start = text.index(line)
        end = start + len(line) * random.randint(0, 1)
        new = random.choice(lines) if random.random() < 0.7 else ""
    else:
        start = random.randint(0, len(text))
        end = start if random.random() < 0.5 else min(start + random.randint(0, 12), len(text))
        new = "".join(random.choices(snippets, k=random.randint(0, 2)))
    start, end = _apart(text, start), _apart(text, end)
    place = types.Range(_position(text, start, random), _position(text, end, random))
    return types.TextDocumentContentChangePartial(place, new), text[:start] + new + text[end:]


def _apart(text: str, offset: int) -> int:
    """The offset, or the one before where no position stands for it: within CR LF."""
    return offset - (text[offset - 1 : offset + 1] == "\r\n")


def _position(text: str, offset: int, random: random.Random) -> types.Position:
    """The position of an offset, counted here by hand and not by what is tested; at line ends sometimes beyond."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    _, _, last = before.rpartition("\n")
    beyond = 5 if text[offset : offset + 1] in ("\n", "\r") and random.random() < 0.2 else 0
    return types.Position(before.count("\n"), len(last.encode("utf-16-le")) // 2 + beyond)


def units_of(text: str, line: int, column: int) -> tuple[int, int]:
    """The 0-based line and UTF-16 column of a place as `check` prints it."""
    written = re.split(r"\r\n|\n|\r", text)[line - 1]
    return line - 1, len(written[: column - 1].encode("utf-16-le")) // 2


def said_by_check(
    folder: Path, texts: dict[str, str], roots: Iterable[str], opened: Collection[str]
) -> set[tuple[str, Said]]:
    """What `bindlint check` finds, by the file's name, in files that have just been written.

    Without what an editor does not show of files that are not open: comments that silence nothing, and (BL0) what is
    wrong with the input of shaders that are not open either.
    """
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    document = _checked(folder / root for root in roots)
    said: set[tuple[str, Said]] = set()
    for shader in [*document["shaders"], {"file": "", "findings": document["findings"]}]:
        for each in shader["findings"]:
            file = each["file"].removeprefix(f"{folder}/")
            is_shown = file in opened or shader["file"].removeprefix(f"{folder}/") in opened
            if is_shown or not each["code"].startswith("BL0"):
                said.add((file, _said(folder, each)))
    return said


def all_said_by_check(folder: Path, texts: dict[str, str], opened: Collection[str]) -> set[tuple[str, Said]]:
    """What `bindlint check FOLDER` finds in some files, by their names, once all have been written."""
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    document = _checked((folder,))
    parts = (*document["shaders"], *document.get("hosts", ()), document.get("project", {"findings": ()}), document)
    found = (each for part in parts for each in part["findings"])
    return {
        (name, _said(folder, each)) for each in found if (name := each["file"].removeprefix(f"{folder}/")) in opened
    }


def _checked(paths: Iterable[Path]) -> Any:
    result = CliRunner().invoke(command, ["--format", "json", "--isolated", "--no-cache", *map(str, paths)])
    assert result.exit_code in (0, 1), result.output
    return msgspec.json.decode(result.stdout_bytes)


def _said(folder: Path, each: dict[str, object]) -> Said:
    keys = ("code", "severity", "message", "file", "line", "column", "end_line", "end_column")
    code, severity, message, file, *place = (each[key] for key in keys)
    return (
        str(code),
        str(severity),
        str(message).replace(f"{folder}/", ""),
        str(file).removeprefix(f"{folder}/"),
        *(int(str(number)) for number in place),
    )  # type: ignore[return-value]
