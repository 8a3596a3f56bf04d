"""`bindlint explain`: which page is meant by ids and messages of other tools, and what is told of hardware."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import group, page_index
from bindlint.cli.page_index import read_pages
from bindlint.rule import Rule
from click.testing import CliRunner, Result

MISMATCH = ["BL301", "BL302", "BL303", "BL304", "BL305"]


def explain(*words: str) -> Result:
    return CliRunner().invoke(group, ["explain", *words])


def listed(result: Result) -> list[str]:
    return [line.split()[1] for line in result.stdout.splitlines() if line.startswith("- BL")]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("D3D12:690", MISMATCH),
        ("D3D12 690", MISMATCH),
        ("d3d12: #690", MISMATCH),
        ("690", MISMATCH),
        ("CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH", MISMATCH),
        ("D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH", MISMATCH),
        ("CS_ROOT_SIGNATURE_MISMATCH", MISMATCH[:-1]),
        ("x4509", ["BL414", "BL512"]),
    ],
)
def test_several_rules_are_listed(text: str, codes: list[str]) -> None:
    result = explain(text)
    assert result.exit_code == 0
    assert set(codes) <= set(listed(result))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("error: resource Albedo at register 3 overlaps with resource Normals at register 3, space 0", "BL103"),
        ("D3D12:1347", "BL205"),
        ("EMPTY_ROOT_DESCRIPTOR_TABLE", "BL205"),
        ("a.hlsl(3,20-30): error X3721: space is only supported for shader targets 5.1 and higher", "BL411"),
        ("D3D12:1006", "BL310"),
        ("D3D12:1321", "BL310"),
        ("SAMPLER_MODE_MISMATCH", "BL310"),
        (
            "D3D12 ERROR: ID3D12Device::CreateGraphicsPipelineState: Shader has root bindings but root signature uses "
            "a DENY flag [ STATE_CREATION ERROR #690: CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH]",
            "BL305",
        ),
        ("error: use of undeclared identifier 'ResourceDescriptorHeap'", "BL416"),
        ("bl411", "BL411"),
    ],
)
def test_one_rule_is_explained(text: str, code: str) -> None:
    result = explain(text)
    assert result.exit_code == 0
    assert f"({code})" in result.stdout.splitlines()[0]


def test_words_may_come_apart() -> None:
    assert explain("D3D12", "1347").stdout == explain("D3D12:1347").stdout


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("D3D12:99", ""),
        ("hello world", ""),
        ("register-overlp", "register-overlap"),
        ("BL99", "BL"),
        ("EMPTY_ROOT_DESCRIPTOR_TABEL", "EMPTY_ROOT_DESCRIPTOR_TABLE"),
    ],
)
def test_unknown_words_end_with_the_nearest(text: str, hint: str) -> None:
    result = explain(text)
    assert result.exit_code == 2
    assert text in result.stderr
    assert ("did you mean" in result.stderr) == bool(hint) and hint in result.stderr


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "tier 1",
            ["samplers, each stage: at most 16", "used or not: CBVs, SRVs, UAVs, samplers", "BL401 table-limit"],
        ),
        ("Tier-3", ["SRVs, each stage: as many as the heap holds", "used or not: none"]),
        ("12_0", ["# Feature level 12_0", "at least resource binding tier 2", "CBVs, each stage: at most 14"]),
        ("feature level 12.2", ["root signature version 1.1"]),
    ],
)
def test_limits_of_hardware(text: str, parts: list[str]) -> None:
    result = explain(text)
    assert result.exit_code == 0
    assert all(part in result.stdout for part in parts)


def test_a_run_of_words_stops_at_what_stands_for_anything(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# a (X1)\n\n## Source\n\nTool: `one two ... three four`, `five\nsix seven`.\n", encoding="utf-8")
    index = read_pages([Rule("X1", "a", "error", "shader", "", check=lambda _: (), page=str(page))])
    assert [bool(index.by_message(text)) for text in ("one two three four", "Five six, SEVEN!", "six seven")] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(("text", "first"), [("BL3", "BL301"), ("bl41", "BL411"), ("registers", "BL101")])
def test_the_rules_of_a_family_are_listed(text: str, first: str) -> None:
    result = explain(text)
    assert result.exit_code == 0
    assert result.output.startswith(f"- {first} ")
    assert result.output.count("\n") > 4


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("views",), "# Views"),
        (("ways", "to", "bind"), "# Ways to bind"),
        (("slots",), "# Slots"),
        (("Copying-Descriptors",), "# Copying descriptors"),
    ],
)
def test_topics(words: tuple[str, ...], title: str) -> None:
    result = explain(*words)
    assert result.exit_code == 0 and result.stdout.startswith(title)


def test_the_help_names_every_topic() -> None:
    topics = Path(page_index.__file__).parents[1] / "data" / "topics"
    shown = "".join(explain("--help").stdout.split())
    assert [path.stem for path in topics.glob("*.md") if path.stem not in shown] == []


def test_a_topic_is_no_path() -> None:
    assert explain("../pages/rule_crashed").exit_code == 2
