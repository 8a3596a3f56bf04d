"""Root signatures in TOML and JSON: what they mean, what is said of wrong ones, and the published schema."""

from __future__ import annotations

import json
from pathlib import Path

import bindlint
import pytest
from bindlint.config import ConfigurationError, load_config
from bindlint.facts.root_signature_document import DocumentError, read_document
from bindlint.rootsig.document import schema, to_toml
from bindlint.rootsig.hlsl import hlsl_text

SCHEMA = Path(bindlint.__file__).parent / "data" / "root_signature.schema.json"
DOCUMENT = """\
# Signatures of the engine.
[[root_signature]]
name = "Sky"
flags = ["ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"]
parameters = [
    { constants = "b2", count = 3 },
    { table = ["t2-t7", { registers = "u0-u3, space1", offset = 8, flags = ["DATA_VOLATILE"] }], visibility = "PIXEL" },
    { cbv = "b0", flags = ["DATA_STATIC"] },
    { table = [{ registers = "t8-unbounded", flags = ["DESCRIPTORS_VOLATILE"] }] },
]
static_samplers = [{ sampler = "s3", filter = "MIN_MAG_MIP_LINEAR", address_u = "CLAMP", max_lod = 4 }]

[[root_signature]]
name = "Empty"
version = "1.0"
"""


def test_a_document_means_what_the_string_means() -> None:
    sky, empty = read_document(DOCUMENT, "a.toml")
    assert hlsl_text(sky) == (
        "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), RootConstants(num32BitConstants = 3, b2), "
        "DescriptorTable(SRV(t2, numDescriptors = 6), UAV(u0, numDescriptors = 4, space = 1, offset = 8, "
        "flags = DATA_VOLATILE), visibility = SHADER_VISIBILITY_PIXEL), CBV(b0, flags = DATA_STATIC), "
        "DescriptorTable(SRV(t8, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
        "StaticSampler(s3, filter = FILTER_MIN_MAG_MIP_LINEAR, addressU = TEXTURE_ADDRESS_CLAMP, maxLOD = 4)"
    )
    assert (empty.name, empty.version, empty.parameters) == ("Empty", "1.0", ())


def test_every_part_has_its_place() -> None:
    sky, empty = read_document(DOCUMENT, "a.toml")
    spans = [sky.parameters[1].span, sky.parameters[1].ranges[1].span, sky.static_samplers[0].span, empty.span]
    assert [span.line for span in spans] == [7, 7, 11, 14]
    lines = DOCUMENT.splitlines()
    first = sky.parameters[1].ranges[0].span
    assert lines[first.line - 1][first.column - 1 : first.end_column - 1] == '"t2-t7"'
    assert DOCUMENT.encode()[first.start : first.end] == b'"t2-t7"'


def test_json_is_the_same_document() -> None:
    sky = read_document(DOCUMENT, "a.toml")[0]
    text = json.dumps({"$schema": "x", "root_signature": [{"name": "Sky", "parameters": [{"cbv": "b0"}]}]}, indent=1)
    (read,) = read_document(text, "a.JSON")
    assert (read.name, read.parameters[0].kind, read.parameters[0].span.line) == ("Sky", "cbv", 8)
    assert read_document(to_toml(sky), "b.toml")[0].parameters[2].flags == 8


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("visibility", "visiblity", "a.toml:7: unknown key `visiblity`; did you mean `visibility`?"),
        ('"PIXEL"', '"PIXLE"', "a.toml:7: `visibility`: invalid enum value 'PIXLE'; did you mean `PIXEL`?"),
        ("DATA_STATIC", "DATA_STATC", "a.toml:8: there is no `DATA_STATC`; did you mean `DATA_STATIC`?"),
        ("MIN_MAG_MIP_LINEAR", "LINEAR", "a.toml:11: there is no `LINEAR`"),
        ('cbv = "b0"', 'cbv = "t0"', "a.toml:8: `t0` is no b register; write `b0` or `b3, space2`"),
        ('cbv = "b0"', 'cbv = "b0", uav = "u0"', "a.toml:8: a parameter has just one of"),
        (", count = 3", "", "a.toml:6: `constants` needs `count`"),
        ('cbv = "b0"', 'cbv = "b0", count = 2', "a.toml:8: `cbv` has no `count`"),
        ('"t2-t7"', '"t2-"', "a.toml:7: `t2-` are no registers"),
        ("max_lod = 4", "max_lod = 1e39", "a.toml:11: 1e+39 is beyond single precision"),
        ('version = "1.0"', 'version = "1.3"', "a.toml:15: `version`: invalid enum value '1.3'"),
        ("[[root_signature]]", "[[root_signatures]]", "a.toml:2: unknown key `root_signatures`; did you mean"),
        ("parameters = [", "parameters = 3 #", "a.toml"),
    ],
)
def test_a_wrong_document_is_told_with_line_and_key(old: str, new: str, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        read_document(DOCUMENT.replace(old, new), "a.toml")
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text",
    ['{"root_signature": ' + "[" * depth + "1" + "]" * depth + "}" for depth in (100, 900, 5000)]
    + ['{"\\u0061": 1, "b": [' + ", ".join(['{"\\u0061": 1}'] * 20_000) + "]}"],
)
def test_odd_documents_end_soon(text: str) -> None:
    with pytest.raises(DocumentError):
        read_document(text, "a.json")


def test_the_configuration_may_hold_signatures(tmp_path: Path) -> None:
    config = tmp_path / "bindlint.toml"
    config.write_text('fail-on = "warning"\n' + DOCUMENT, encoding="utf-8")
    assert load_config(config).fail_on == "warning"
    assert [s.name for s in read_document(config.read_text(encoding="utf-8"), str(config), False)] == ["Sky", "Empty"]
    config.write_text(DOCUMENT.replace("count = 3", "cont = 3"), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"bindlint\.toml:6: unknown key `cont`; did you mean `count`\?"):
        load_config(config)


def test_the_schema_is_the_published_one(update: bool) -> None:
    if update:
        SCHEMA.write_text(schema(), encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == schema()
    assert json.loads(schema())["$defs"]["ParameterEntry"]["oneOf"][1] == {"required": ["constants"]}
