"""Fixes: edits of bytes, what is offered, what `--fix` makes of files and what it leaves alone."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.fixes import by_file, conflict, diff, edited, reencoded, replace_file
from bindlint.model.finding import Edit, Fix
from bindlint.model.source import Span, first_of, last_of
from click.testing import CliRunner, Result

OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
Texture2D c : register(t1);
float4 main() : SV_Target { return a.Load(0) + b.Load(0) + c.Load(0); }
"""
MENDED = OVERLAP.replace("b : register(t0)", "b : register(t2)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*words: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(group, ["check", "--format", "concise", "-T", "ps_6_6", *words], input=stdin)


def edit(start: int, end: int, text: str, replaces: str = "", file: str = "a") -> Edit:
    return Edit(Span(file, 1, start + 1, 1, end + 1, start, end), text, replaces)


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([edit(0, 1, "X")], b"Xbcdef"),
        ([edit(2, 2, "-"), edit(0, 1, "X")], b"Xb-cdef"),
        ([edit(0, 3, "", "a b c")], b"def"),
        ([edit(0, 3, "", "abd")], None),
        ([edit(4, 9, "")], None),
        ([edit(0, 3, ""), edit(2, 4, "")], None),
        ([edit(1, 1, "x"), edit(1, 1, "x")], b"axbcdef"),
    ],
)
def test_edits_fit_or_change_nothing(edits: list[Edit], expected: bytes | None) -> None:
    assert edited(b"abcdef", by_file(edits)["a"]) == expected


@pytest.mark.parametrize(
    ("one", "other", "meets"),
    [
        (edit(0, 2, "x"), edit(2, 3, "y"), False),
        (edit(0, 3, "x"), edit(2, 3, "y"), True),
        (edit(1, 1, "x"), edit(1, 1, "y"), True),
        (edit(1, 1, "x"), edit(1, 1, "x"), False),
        (edit(0, 3, "x"), edit(0, 3, "y", file="b"), False),
    ],
)
def test_which_edits_conflict(one: Edit, other: Edit, meets: bool) -> None:
    theirs = Fix("theirs", (other,))
    assert conflict(Fix("ours", (one,)), [theirs]) == (theirs if meets else None)


def test_parts_of_spans() -> None:
    span = Span("a", 2, 3, 3, 9, 10, 30)
    assert first_of(span, 4) == Span("a", 2, 3, 2, 7, 10, 14)
    assert last_of(span, 4) == Span("a", 3, 5, 3, 9, 26, 30)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_goes_back_in_the_encoding_of_its_file(encoding: str) -> None:
    data = "// ä😀\r\nx\r\n".encode(encoding)
    new = "// ä😀\r\ny\r\n"
    assert reencoded("a", data, new.encode(), "// ä😀\r\nx\r\n".encode()) == new.encode(encoding)


@pytest.mark.parametrize("data", [b"// \xe4\r\n", "x".encode("utf-16-le")])
def test_what_is_not_read_whole_is_not_written(data: bytes) -> None:
    assert reencoded("a", data, b"y", data) is None


def test_a_diff_names_missing_line_ends() -> None:
    lines = list(diff("d/a.hlsl", b"one\r\ntwo", b"one\r\n2"))
    assert lines[:2] == [b"--- a/d/a.hlsl\n", b"+++ b/d/a.hlsl\n"]
    assert lines[-2:] == [b"-two\n\\ No newline at end of file\n", b"+2\n\\ No newline at end of file\n"]


@pytest.mark.skipif(not shutil.which("git"), reason="no git")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_git_applies_a_diff(tmp_path: Path, encoding: str, end: str) -> None:
    old, new = (end.join(("// \f\u2028\x85ä", text, "", "z")).encode(encoding) for text in ("x", "y"))
    (tmp_path / "a.hlsl").write_bytes(old)
    patch = b"".join(diff("a.hlsl", old, new))
    subprocess.run(("git", "apply", "--whitespace=nowarn"), input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "a.hlsl").read_bytes() == new


@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("git"), reason="names of POSIX, and no git")
@pytest.mark.parametrize("name", ["a b", "a\tb", "a\nb", 'a"b', "a\\b", "ä", '"a"', "a\x7f", "a b\t2"])
def test_git_applies_a_diff_of_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x\n")
    subprocess.run(("git", "apply"), input=b"".join(diff(name, b"x\n", b"y\n")), cwd=tmp_path, check=True)
    assert (tmp_path / name).read_bytes() == b"y\n"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_replacing_keeps_links_and_permissions(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"1")
    real.chmod(0o640)
    link.symlink_to(real)
    replace_file(str(link), b"2")
    assert link.is_symlink() and real.read_bytes() == b"2"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


@pytest.mark.skipif(sys.platform == "win32", reason="files of POSIX")
def test_replacing_keeps_other_names_and_the_owner(tmp_path: Path) -> None:
    file, other = tmp_path / "a", tmp_path / "b"
    file.write_bytes(b"longer")
    os.link(file, other)
    replace_file(str(file), b"2")
    assert other.read_bytes() == b"2" and file.stat().st_ino == other.stat().st_ino
    if os.getuid() == 0:
        other.unlink()
        os.chown(file, 12345, 54321)
        replace_file(str(file), b"3")
        assert (file.read_bytes(), file.stat().st_uid, file.stat().st_gid) == (b"3", 12345, 54321)


def test_what_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        replace_file(str(tmp_path / "folder"), b"2")
    assert os.listdir(tmp_path) == ["folder"]


FOUR = "float4 main() : SV_Target { return a.Load(0) + b.Load(0) + c.Load(0) + d.Load(0); }\n"
SIGNATURE = "float4 main() : SV_Target { Texture2D x = ResourceDescriptorHeap[0]; return x.Load(0); }\n"
CASES = {
    "overlap": (OVERLAP, MENDED),
    "class": (
        "Texture2D a : register(u3, space1);\nfloat4 main() : SV_Target { return a.Load(0); }\n",
        "Texture2D a : register(t3, space1);\nfloat4 main() : SV_Target { return a.Load(0); }\n",
    ),
    "case": (
        "Texture2D a;\nSamplerState s : register( T3 );\nfloat4 main() : SV_Target { return a.Sample(s, 0); }\n",
        "Texture2D a;\nSamplerState s : register(s3);\nfloat4 main() : SV_Target { return a.Sample(s, 0); }\n",
    ),
    "misspelt": (
        "Texture2D a : regsiter(t3);\nfloat4 main() : SV_Target { return a.Load(0); }\n",
        "Texture2D a : register(t3);\nfloat4 main() : SV_Target { return a.Load(0); }\n",
    ),
    "constant": (
        "const float Pi = 3.14;\nconst float E = 2.7;\nfloat4 main() : SV_Target { return Pi * E; }\n",
        "const static float Pi = 3.14;\nconst static float E = 2.7;\nfloat4 main() : SV_Target { return Pi * E; }\n",
    ),
    "specialization": (
        "[[vk::constant_id(0)]] const float Pi = 3.14;\nfloat4 main() : SV_Target { return Pi; }\n",
        None,
    ),
    "no flags": (
        f'[RootSignature("CBV(b0)")]\n{SIGNATURE}',
        f'[RootSignature("RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED), CBV(b0)")]\n{SIGNATURE}',
    ),
    "no flag set": (
        f'#define RS "CBV(b0),RootFlags( 0)"\n[RootSignature(RS)]\n{SIGNATURE}',
        f'#define RS "CBV(b0),RootFlags( CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"\n[RootSignature(RS)]\n{SIGNATURE}',
    ),
    "macro": (
        f'#define RS "CBV(b0), RootFlags(DENY_VERTEX_SHADER_ROOT_ACCESS)"\n[RootSignature(RS)]\n{SIGNATURE}',
        f'#define RS "CBV(b0), RootFlags(DENY_VERTEX_SHADER_ROOT_ACCESS | CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED)"\n'
        f"[RootSignature(RS)]\n{SIGNATURE}",
    ),
    "four on one register": (
        "Texture2D a : register(t0);\nTexture2D b : register(t0);\nTexture2D c : register(t0);\n"
        "Texture2D d : register(t0);\n" + FOUR,
        "Texture2D a : register(t0);\nTexture2D b : register(t1);\nTexture2D c : register(t2);\n"
        "Texture2D d : register(t3);\n" + FOUR,
    ),
    "through a macro": (OVERLAP.replace("b : register(t0)", "b : register(SLOT)"), None),
    "in a macro's body": (
        "#define B Texture2D b : register(t0)\nTexture2D a : register(t0);\nB;\n"
        "float4 main() : SV_Target { return a.Load(0) + b.Load(0); }\n",
        None,
    ),
    "another branch": (
        f"{OVERLAP}#ifdef FOG\nTexture2D d[2] : register(t2);\n#endif\n// Texture2D e : register(t4);\n",
        f"{OVERLAP}#ifdef FOG\nTexture2D d[2] : register(t2);\n#endif\n// Texture2D e : register(t4);\n".replace(
            "b : register(t0)", "b : register(t4)"
        ),
    ),
    "another branch without end": (f"{OVERLAP}#ifdef FOG\nTexture2D d[N] : register(t2);\n#endif\n", None),
    "fields": (
        "struct Light { float4 a /* c */ : register( c0 ); float4 b: register(c1), c : register(i2) /* i */; };\n"
        "float4 main() : SV_Target { Light light = (Light)1; return light.a + light.b + light.c; }\n",
        "struct Light { float4 a /* c */ ; float4 b, c /* i */; };\n"
        "float4 main() : SV_Target { Light light = (Light)1; return light.a + light.b + light.c; }\n",
    ),
    "a field through a macro": (
        "#define PLACED(n) : register(c##n)\nstruct Light { float4 a PLACED(0); float4 b : /* c */ register(c1); };\n"
        "float4 main() : SV_Target { Light light = (Light)1; return light.a; }\n",
        None,
    ),
    "a resource in a struct": (
        "struct Set { Texture2D a : register(t4); };\nSet Sky;\nfloat4 main() : SV_Target { return Sky.a.Load(0); }\n",
        None,
    ),
    "a comment within": (OVERLAP.replace("b : register(t0)", "b : register(/* sky */ t0)"), None),
    "a leading zero": (OVERLAP.replace("b : register(t0)", "b : register(t00)"), None),
    "the signature has no room": (
        OVERLAP.replace("float4", '[RootSignature("DescriptorTable(SRV(t0, numDescriptors = 2))")]\nfloat4'),
        None,
    ),
}


UNFIXABLE = (
    "specialization", "through a macro", "in a macro's body", "another branch without end", "a field through a macro",
    "a resource in a struct", "a comment within", "a leading zero", "the signature has no room",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_fixes_of_a_shader(folder: Path, case: str) -> None:
    before, after = CASES[case]
    file = folder / "a.hlsl"
    file.write_bytes(before.encode())
    words = ("-D", "SLOT=t0", "a.hlsl") if case == "through a macro" else ("a.hlsl",)
    first = check(*words)
    shown = check("--diff", *words)
    assert file.read_bytes() == before.encode()
    fixed = check("--fix", *words)
    assert (shown.exit_code, bool(shown.stdout)) == ((1, True) if file.read_bytes() != before.encode() else (0, False))
    if case in UNFIXABLE:
        assert file.read_bytes() == before.encode()
    if after is not None:
        assert file.read_text(encoding="utf-8") == after
        assert len(fixed.stdout.splitlines()) < len(first.stdout.splitlines())
    assert check(*words).stdout == fixed.stdout


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_encoding_and_line_ends_stay(folder: Path, encoding: str) -> None:
    file = folder / "a.hlsl"
    file.write_bytes(f"// ä😀\n{OVERLAP}".replace("\n", "\r\n").encode(encoding))
    assert check("--fix", "a.hlsl").exit_code == 0
    assert file.read_bytes() == f"// ä😀\n{MENDED}".replace("\n", "\r\n").encode(encoding)


def test_a_file_that_is_no_valid_text_is_left_alone(folder: Path) -> None:
    data = b"// \xe4\n" + OVERLAP.encode()
    (folder / "a.hlsl").write_bytes(data)
    assert check("--fix", "a.hlsl").exit_code == 1
    assert (folder / "a.hlsl").read_bytes() == data


def test_a_read_only_file_is_left_alone(folder: Path) -> None:
    file = folder / "a.hlsl"
    file.write_text(OVERLAP, encoding="utf-8")
    file.chmod(0o444)
    result = check("--fix", "a.hlsl")
    assert file.read_text(encoding="utf-8") == OVERLAP and "fix" not in result.stderr


def test_a_header_elsewhere_is_left_alone(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    header = tmp_path_factory.mktemp("sdk") / "textures.hlsli"
    header.write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    main = f'#include "{header.as_posix()}"\nfloat4 main() : SV_Target {{ return a.Load(0) + b.Load(0); }}\n'
    (folder / "a.hlsl").write_text(main, encoding="utf-8")
    before = header.read_bytes()
    check("--fix", "a.hlsl")
    assert header.read_bytes() == before


def test_a_header_is_fixed_once_for_all_its_shaders(folder: Path) -> None:
    (folder / "h.hlsli").write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    main = '#include "h.hlsli"\nfloat4 main() : SV_Target { return a.Load(0) + b.Load(0); }\n'
    for name in ("one", "two"):
        (folder / f"{name}.hlsl").write_text(main, encoding="utf-8")
    result = check("--fix", "one.hlsl", "two.hlsl")
    assert result.exit_code == 0 and "1 fix made in 1 file" in result.stderr
    assert (folder / "h.hlsli").read_text(encoding="utf-8").endswith("b : register(t1);\n")


def test_a_fix_that_breaks_another_shader_is_not_made(folder: Path) -> None:
    (folder / "h.hlsli").write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    uses = "float4 main() : SV_Target { return a.Load(0) + b.Load(0); }\n"
    (folder / "one.hlsl").write_text(f'#include "h.hlsli"\n{uses}', encoding="utf-8")
    other = (
        '#include "h.hlsli"\nTexture2D c : register(t1);\nfloat4 main() : SV_Target { return b.Load(0) + c.Load(0); }\n'
    )
    (folder / "two.hlsl").write_text(other, encoding="utf-8")
    before = (folder / "h.hlsli").read_bytes()
    result = check("--fix", "one.hlsl", "two.hlsl")
    assert (folder / "h.hlsli").read_bytes() == before
    assert "not made, since it would bring about BL103 in " in result.stderr
    assert check("--fix", "one.hlsl").exit_code == 0


def test_rules_that_are_not_selected_judge_fixes_too(folder: Path) -> None:
    signature = '[RootSignature("DescriptorTable(SRV(t0, numDescriptors = 2))")]\n'
    (folder / "a.hlsl").write_text(OVERLAP.replace("float4", f"{signature}float4"), encoding="utf-8")
    before = (folder / "a.hlsl").read_bytes()
    result = check("--fix", "--select", "BL103", "a.hlsl")
    assert (folder / "a.hlsl").read_bytes() == before and "BL301" in result.stderr


def test_silenced_findings_are_not_fixed(folder: Path) -> None:
    line = "Texture2D b : register(t0);"
    text = OVERLAP.replace(line, f"{line} // bindlint: allow(register-overlap) meant")
    (folder / "a.hlsl").write_text(text, encoding="utf-8")
    assert check("--fix", "a.hlsl").exit_code == 0
    assert (folder / "a.hlsl").read_text(encoding="utf-8") == text
    (folder / "b.hlsl").write_text(OVERLAP, encoding="utf-8")
    check("--baseline", "known", "--write-baseline", "b.hlsl")
    check("--baseline", "known", "--fix", "b.hlsl")
    assert (folder / "b.hlsl").read_text(encoding="utf-8") == OVERLAP


def test_what_is_not_safe_is_asked_for_by_name(folder: Path) -> None:
    text = "Texture2D a : register(t0);\nTexture2D b : register(t0);\n"
    text += '[shader("raygeneration")] void Rays() { RWTexture2D<float4> o = ResourceDescriptorHeap[0]; '
    text += "o[uint2(0, 0)] = a.Load(0) + b.Load(0); }\n"
    (folder / "a.hlsl").write_text(text, encoding="utf-8")
    words = ("-T", "lib_6_6", "a.hlsl")
    assert check("--diff", *words).stdout == ""
    assert "+Texture2D b : register(t1);" in check("--diff", "--unsafe-fixes", *words).stdout


def test_standard_input_is_only_shown(folder: Path) -> None:
    result = check("--diff", "--stdin-filename", "a.hlsl", "-", stdin=OVERLAP.encode())
    assert result.exit_code == 1 and "+Texture2D b : register(t2);\n" in result.stdout
    assert check("--fix", "--stdin-filename", "a.hlsl", "-", stdin=OVERLAP.encode()).exit_code == 2
    assert not (folder / "a.hlsl").exists()


def test_fixes_are_shown_where_they_hold(folder: Path) -> None:
    (folder / "a.hlsl").write_text(OVERLAP, encoding="utf-8")
    text = CliRunner().invoke(group, ["check", "-T", "ps_6_6", "a.hlsl"]).stdout
    assert "  fix: move `b` to t2 (--fix)\n" in text
    document = json.loads(CliRunner().invoke(group, ["check", "--format", "json", "-T", "ps_6_6", "a.hlsl"]).stdout)
    (finding,) = document["shaders"][0]["findings"]
    place = {"file": "a.hlsl", "line": 2, "column": 15, "end_line": 2, "end_column": 27}
    edits = [{**place, "text": "register(t2)"}]
    assert finding["fix"] == {"title": "move `b` to t2", "safe": True, "edits": edits}
    sarif = json.loads(CliRunner().invoke(group, ["check", "--format", "sarif", "-T", "ps_6_6", "a.hlsl"]).stdout)
    (fix,) = sarif["runs"][0]["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a.hlsl", "uriBaseId": "SRCROOT"}
    (replacement,) = change["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 2, "startColumn": 15, "endLine": 2, "endColumn": 27}
    assert replacement["insertedContent"] == {"text": "register(t2)"}


@pytest.mark.parametrize("manifest", [False, True])
def test_a_file_by_several_names_is_fixed_once(folder: Path, manifest: bool) -> None:
    (folder / "d").mkdir()
    (folder / "link").symlink_to("d")
    names = ["d/a.hlsl", str(folder / "d" / "a.hlsl"), "link/a.hlsl", "d/../d/a.hlsl"]
    (folder / "d" / "a.hlsl").write_text(OVERLAP, encoding="utf-8")
    lines = (json.dumps({"file": name, "arguments": ["-T", "ps_6_6"]}) + "\n" for name in names)
    (folder / "m.jsonl").write_text("".join(lines), encoding="utf-8")
    words = ["--manifest", "m.jsonl"] if manifest else ["-T", "ps_6_6", *names]
    result = CliRunner().invoke(group, ["check", "--fix", "--format", "json", *words])
    assert (result.exit_code, result.stderr.count("1 fix made in 1 file")) == (0, 1), result.output
    assert (folder / "d" / "a.hlsl").read_text(encoding="utf-8") == MENDED
    assert len(json.loads(result.stdout)["shaders"]) == (4 if manifest else 1)


def test_a_header_by_several_names_is_fixed_once(folder: Path) -> None:
    (folder / "h.hlsli").write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    for name, include in (("one", "h.hlsli"), ("two", f"{folder.as_posix()}/h.hlsli")):
        main = f'#include "{include}"\nfloat4 main() : SV_Target {{ return a.Load(0) + b.Load(0); }}\n'
        (folder / f"{name}.hlsl").write_text(main, encoding="utf-8")
    result = check("--fix", "one.hlsl", "two.hlsl")
    assert (result.exit_code, "1 fix made in 1 file" in result.stderr) == (0, True), result.output
    assert (folder / "h.hlsli").read_text(encoding="utf-8").endswith("b : register(t1);\n")


@pytest.mark.parametrize(("words", "consent"), [((), False), (("../out/h.hlsli",), True), (("../out",), True)])
def test_only_what_is_named_or_in_its_repository_is_edited(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], consent: bool
) -> None:
    for name in ("in", "out"):
        (folder / name).mkdir()
    (folder / ".git").rmdir()
    header = folder / "out" / "h.hlsli"
    header.write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    main = '#include "h.hlsli"\nfloat4 main() : SV_Target { return a.Load(0) + b.Load(0); }\n'
    (folder / "in" / "a.hlsl").write_text(main, encoding="utf-8")
    monkeypatch.chdir(folder / "in")
    before = header.read_bytes()
    command = ["check", "--fix", "-I", "../out", "a.hlsl", *words]
    result = CliRunner().invoke(group, command)
    assert (header.read_bytes() == before) != consent, result.output
    assert ("h.hlsli` lies elsewhere; name it or its folder" in result.stderr) != consent


def test_shaders_that_were_not_asked_are_told(folder: Path) -> None:
    (folder / "h.hlsli").write_text("Texture2D a : register(t0);\nTexture2D b : register(t0);\n", encoding="utf-8")
    main = '#include "{}"\nfloat4 main() : SV_Target {{ return a.Load(0) + b.Load(0); }}\n'
    for name, include in (("one.hlsl", "h.hlsli"), ("two.hlsl", "g.hlsli")):
        (folder / name).write_text(main.format(include), encoding="utf-8")
    (folder / "g.hlsli").write_text('#include "h.hlsli"\n', encoding="utf-8")
    told = "1 more shader may include it, not asked here: two.hlsl"
    assert told in check("--diff", "one.hlsl").stderr
    assert "not asked here" not in check("--fix", "one.hlsl", "two.hlsl").stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (OVERLAP.replace("b : register(t0)", "b : register(/* sky */ t0)").encode(), "a macro, a comment"),
        (b"// \xe4\n" + OVERLAP.encode(), "the file is not valid UTF-8"),
    ],
)
def test_why_a_fix_cannot_be_made(folder: Path, text: bytes, why: str) -> None:
    (folder / "a.hlsl").write_bytes(text)
    assert why in check("--fix", "a.hlsl").stderr
