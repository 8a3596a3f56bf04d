"""The baseline: what is known, what is new, what moves with a file, and the file itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from analyses import span
from bindlint.baseline import Baseline, BaselineError, read_baseline
from bindlint.cli import group
from bindlint.model.finding import Finding, Violation
from click.testing import CliRunner, Result

OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""
HEAD = '{"bindlint_baseline":1}\n'
ENTRY = '{"file":"a.hlsl","fingerprint":"BL103:a t0:b t0"}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hlsl").write_text(OVERLAP, encoding="utf-8")
    return tmp_path


def check(*words: str) -> Result:
    return CliRunner().invoke(group, ["check", "--format", "concise", "--baseline", "known", "-T", "ps_6_0", *words])


def finding(*symbols: str, file: str = "a.hlsl", line: int = 1, code: str = "BL103") -> Finding:
    return Finding(code, "register-overlap", "error", Violation("m", span(file, line), symbols=symbols))


def test_what_is_written_is_known_wherever_it_moves_in_the_file(folder: Path) -> None:
    assert check("a.hlsl", "--write-baseline").exit_code == 0
    assert (folder / "known").read_text(encoding="utf-8") == HEAD + ENTRY
    (folder / "a.hlsl").write_text(f"// a comment\n\n{OVERLAP}", encoding="utf-8")
    result = check("a.hlsl")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_new_findings_are_reported(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    text = OVERLAP.replace("float4 main", "Texture2D c : register(u1);\nfloat4 main")
    (folder / "a.hlsl").write_text(text, encoding="utf-8")
    result = check("a.hlsl")
    assert result.exit_code == 1 and [line.split()[1] for line in result.stdout.splitlines()] == ["error[BL102]"]


def test_two_files_with_the_same_names_are_two(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    (folder / "b.hlsl").write_text(OVERLAP, encoding="utf-8")
    assert check("b.hlsl").exit_code == 1
    (folder / "sub").mkdir()
    (folder / "sub" / "a.hlsl").write_text(OVERLAP, encoding="utf-8")
    assert check("sub/a.hlsl").exit_code == 1


def test_a_file_that_moved_keeps_its_findings(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    (folder / "sub").mkdir()
    (folder / "a.hlsl").rename(folder / "sub" / "a.hlsl")
    assert check("sub/a.hlsl").exit_code == 0


def test_entries_that_are_found_no_more_are_told_and_taken_out(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    (folder / "a.hlsl").write_text(OVERLAP.replace("b : register(t0)", "b : register(t1)"), encoding="utf-8")
    result = check("a.hlsl")
    assert result.exit_code == 0
    assert "has 1 entry more than is found: a.hlsl: BL103:a t0:b t0;" in result.stderr
    assert check("a.hlsl", "--select", "BL102").stderr == "", "what did not run tells nothing"
    check("a.hlsl", "--write-baseline")
    assert (folder / "known").read_text(encoding="utf-8") == HEAD


def test_entries_of_other_files_stay(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    (folder / "b.hlsl").write_text("Texture2D c : register(u0);\nfloat4 main() : SV_Target { return 0; }\n")
    check("b.hlsl", "--write-baseline")
    lines = (folder / "known").read_text(encoding="utf-8").splitlines()
    assert [line[:17] for line in lines] == [HEAD[:17], '{"file":"a.hlsl",', '{"file":"b.hlsl",']
    assert check(".").exit_code == 0


def test_jobs_change_nothing(folder: Path) -> None:
    for number in range(20):
        (folder / f"s{number}.hlsl").write_text(OVERLAP, encoding="utf-8")
    check(".", "--write-baseline")
    alone = (folder / "known").read_bytes()
    (folder / "known").unlink()
    check(".", "--write-baseline", "--jobs", "2")
    assert (folder / "known").read_bytes() == alone
    assert check(".", "--jobs", "2").exit_code == 0


def test_unused_suppressions_can_be_known(folder: Path) -> None:
    text = OVERLAP.replace("b : register(t0);", "b : register(t1); // bindlint: allow(register-overlap)")
    (folder / "a.hlsl").write_text(text, encoding="utf-8")
    check("a.hlsl", "--write-baseline")
    assert check("a.hlsl", "--fail-on", "warning").exit_code == 0


def test_known_ones_are_suppressed_in_sarif_and_skipped_in_junit(folder: Path) -> None:
    check("a.hlsl", "--write-baseline")
    words = ["check", "--baseline", "known", "-T", "ps_6_0", "a.hlsl", "--format"]
    sarif = CliRunner().invoke(group, [*words, "sarif"]).stdout
    assert '"suppressions":[{"kind":"external"' in sarif
    assert '<skipped message="silenced"/>' in CliRunner().invoke(group, [*words, "junit"]).stdout
    assert "nothing found; 1 known" in CliRunner().invoke(group, [*words, "text"]).stdout


def test_the_count_is_a_limit() -> None:
    baseline = Baseline("known", {("a.hlsl", "BL103:x"): 2})
    three = tuple(finding("x", line=line) for line in (1, 2, 3))
    new, known = baseline.split(three)
    assert (new, known) == (three[2:], three[:2])


def test_a_crash_of_a_rule_is_never_known() -> None:
    crash = finding("BL103", code="BL090")
    baseline = Baseline("known", {("a.hlsl", "BL090:BL103"): 1})
    assert baseline.split((crash,)) == ((crash,), ())
    assert baseline.count((crash,)) == {}


def test_the_order_of_entries_is_fixed() -> None:
    found = {("b", "BL2:y"): 1, ("b", "BL1:x"): 3, ("a", "BL9:z"): 1}
    lines = Baseline("known").written(found, ()).decode().splitlines()
    assert lines == [
        HEAD.rstrip(),
        '{"file":"a","fingerprint":"BL9:z"}',
        '{"file":"b","fingerprint":"BL1:x","count":3}',
        '{"file":"b","fingerprint":"BL2:y"}',
    ]


def test_of_merged_entries_the_greater_count_holds(tmp_path: Path) -> None:
    (tmp_path / "known").write_text(f"{HEAD}{ENTRY}{ENTRY.replace('}', chr(44) + chr(34) + 'count' + chr(34) + ':2}')}")
    assert read_baseline(str(tmp_path / "known")).counts == {("a.hlsl", "BL103:a t0:b t0"): 2}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_what_editors_and_merges_make_of_it_is_read(tmp_path: Path, encoding: str) -> None:
    other = ENTRY.replace("a.hlsl", "b.hlsl")
    (tmp_path / "known").write_text(f"{HEAD}{ENTRY}\n{HEAD}{ENTRY}{other}".replace("\n", "\r\n"), encoding=encoding)
    assert read_baseline(str(tmp_path / "known")).counts.keys() == {
        ("a.hlsl", "BL103:a t0:b t0"),
        ("b.hlsl", "BL103:a t0:b t0"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: is no baseline"),
        ("[]", ":1: is no line of a baseline"),
        ('{"bindlint_baseline":9}', ":1: version 9"),
        (f'{HEAD}{ENTRY}{{"file":"a"}}', ":3: is no line of a baseline"),
        (f"{HEAD}{HEAD.replace('1', '9')}", ":2: version 9"),
        (f"{HEAD}<<<<<<< ours\n", ":2: is a conflict of two versions; keep the lines of both"),
        (f"{HEAD}x\n", "delete the file to have it made anew"),
    ],
)
def test_a_broken_baseline_is_named_with_its_line(folder: Path, text: str, message: str) -> None:
    (folder / "known").write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError, match=message):
        read_baseline("known")
    result = check("a.hlsl")
    assert result.exit_code == 2 and message in result.stderr
    assert check("a.hlsl", "--write-baseline").exit_code == 2
    assert (folder / "known").read_text(encoding="utf-8") == text


def test_a_missing_baseline_is_no_empty_one(folder: Path) -> None:
    result = check("a.hlsl")
    assert result.exit_code == 2 and "there is no baseline `known`; --write-baseline makes one" in result.stderr
    alone = CliRunner().invoke(group, ["check", "a.hlsl", "--write-baseline"])
    assert alone.exit_code == 2 and "--baseline" in alone.stderr
