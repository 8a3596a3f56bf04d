"""Compiler command lines: every spelling, every fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.arguments import Arguments, parse_arguments, read_profile


def parse(*words: str) -> Arguments:
    return parse_arguments(words, "/project")


@pytest.mark.parametrize(
    ("words", "field", "expected"),
    [
        ("-T ps_6_6", "profile", "ps_6_6"),
        ("-Tps_6_6", "profile", "ps_6_6"),
        ("/T ps_6_6", "profile", "ps_6_6"),
        ("/Tps_6_6", "profile", "ps_6_6"),
        ("-T lib_6_x", "profile", "lib_6_x"),
        ("-T cs_6_10", "profile", "cs_6_10"),
        ("-T ps_4_0_level_9_1", "profile", "ps_4_0"),
        ("-T rootsig_1_1 -E RS", "profile", "rootsig_1_1"),
        ("-E shade", "entry", "shade"),
        ("/Eshade", "entry", "shade"),
        ("-T ps_6_0", "entry", "main"),
        ("-T ps_6_0 -E shade", "entry", "shade"),
        ("-T lib_6_3 -E ignored", "entry", ""),
        ("", "entry", ""),
        ("-D A", "defines", (("A", "1"),)),
        ("-DA=", "defines", (("A", ""),)),
        ("-DA=B=C /D B=2", "defines", (("A", "B=C"), ("B", "2"))),
        ("-I inc -I/abs /I other", "include_dirs", ("/project/inc", "/abs", "/project/other")),
        ("-I a\\b", "include_dirs", ("/project/a/b",)),
        ("", "hlsl_version", 2021),
        ("-HV 2018", "hlsl_version", 2018),
        ("-HV 202x", "hlsl_version", 2029),
        ("-Zpr", "row_major", True),
        ("-Zpr -Zpc", "row_major", False),
        ("-enable-16bit-types", "enable_16bit_types", True),
        ("-auto-binding-space 7", "auto_binding_space", 7),
        ("", "auto_binding_space", None),
        ("-flegacy-resource-reservation", "legacy_resource_reservation", True),
        ("/flegacy-macro-expansion", "legacy_macro_expansion", True),
        ("-rootsig-define RS", "root_signature_define", "RS"),
        ("-force-rootsig-ver rootsig_1_0", "root_signature_version", "1.0"),
        ("-force-rootsig-verrootsig_1_0", "root_signature_version", "1.0"),
        ("-force-rootsig-ver rootsig_1_2", "root_signature_version", "1.2"),
        ("-T rootsig_1_0", "root_signature_version", "1.0"),
        ("-T rootsig_1_1", "root_signature_version", "1.1"),
        ("-T rootsig_1_2", "root_signature_version", "1.2"),
        ("-default-linkage external", "external_linkage", True),
        ("-exports a;b=c -exports d", "exports", ("a", "b=c", "d")),
        ("-binding-table-define BT", "binding_table_define", "BT"),
        ("-import-binding-table t.csv", "binding_table_file", "/project/t.csv"),
        ("-Gis", "strict_ieee", True),
        ("-Vd", "skip_validation", True),
        ("-spirv", "spirv", True),
        ("-T ps_5_1", "dialect", "fxc"),
        ("-T ps_6_0", "dialect", "dxc"),
        ("-T rootsig_1_1", "dialect", "dxc"),
    ],
)
def test_option(words: str, field: str, expected: object) -> None:
    arguments = parse(*words.split())
    assert not arguments.faults
    value = getattr(arguments.shader, field)
    assert (str(value) if field == "profile" else value) == expected


@pytest.mark.parametrize(
    "words",
    [
        "-O3 -Od -Zi -Qstrip_debug -WX -no-warnings -Wno-conversion -nologo",
        "-Fo out.dxil -Fcout.asm -Fh out.h -Vn name -Fre r.bin",
        "-fvk-b-shift 0 1 -fvk-bind-register b0 0 1 2 -fspv-target-env=vulkan1.1 -fvk-use-dx-layout",
        "-opt-select licm on -opt-enable x -select-validator internal -ftime-trace=1 -Oconfig=-a,-b",
        "/Gpp /Op /enable_unbounded_descriptor_tables --help",
    ],
)
def test_known_options_without_meaning_for_bindings_are_passed_over(words: str) -> None:
    arguments = parse(*words.split(), "a.hlsl")
    assert arguments.shader == parse("a.hlsl").shader
    assert (arguments.inputs, arguments.faults) == (("a.hlsl",), ())


@pytest.mark.parametrize(
    ("words", "kind", "text"),
    [
        ("-T ps_6_99", "unknown-profile", "`ps_6_99`; did you mean `ps_6_9`?"),
        ("-T pixel", "unknown-profile", "`pixel`"),
        ("-T lib_6_0", "unknown-profile", "lib_6_0"),
        ("-T ms_6_4", "unknown-profile", "did you mean"),
        ("-T hs_4_0", "unknown-profile", "hs_4_0"),
        ("-T", "missing-value", "`-T` needs a value"),
        ("-fvk-b-shift 1", "missing-value", "needs 2 values"),
        ("-HV 1999", "bad-value", "2021"),
        ("-auto-binding-space -1", "bad-value", "`-1`"),
        ("-auto-binding-space 4294967296", "bad-value", "register space"),
        ("-default-linkage extern", "bad-value", "did you mean `external`?"),
        ("-rootsig-defin RS", "unknown-option", "did you mean `-rootsig-define`?"),
        ("@no-such-file", "response-file", "no-such-file"),
    ],
)
def test_fault(words: str, kind: str, text: str) -> None:
    (fault,) = parse(*words.split()).faults
    assert fault.kind == kind
    assert text in fault.message


def test_slash_words_that_are_files_are_inputs(tmp_path: Path) -> None:
    file = tmp_path / "x.hlsl"
    file.touch()
    arguments = parse(str(file), "/no/such/option")
    assert arguments.inputs == (str(file), "/no/such/option")
    assert not arguments.faults


def test_response_files_nest_and_quote(tmp_path: Path) -> None:
    (tmp_path / "outer.rsp").write_text('-D "A=x y"\n@inner.rsp -E', encoding="utf-8")
    (tmp_path / "inner.rsp").write_text("-T ps_6_6 -I 'some dir'", encoding="utf-8-sig")
    (tmp_path / "msbuild.rsp").write_text("/E main /T ps_6_6", encoding="utf-16")
    assert str(parse_arguments(["@msbuild.rsp"], str(tmp_path)).shader.profile) == "ps_6_6"
    (tmp_path / "loop.rsp").write_text("@loop.rsp", encoding="utf-8")
    arguments = parse_arguments(["@outer.rsp", "shade.hlsl"], str(tmp_path))
    assert arguments.shader.defines == (("A", "x y"),)
    assert arguments.shader.include_dirs == (str(tmp_path / "some dir"),)
    assert arguments.inputs == ("shade.hlsl",)
    assert [fault.kind for fault in arguments.faults] == ["missing-value"]
    assert [fault.kind for fault in parse_arguments(["@loop.rsp"], str(tmp_path)).faults] == ["response-file"]


RESPONSES = {
    "a ring": ({"a": "@b @b", "b": "@a @a @b"}, ["`a` stands within itself", "`b` stands within itself"]),
    "a fan": (
        {"a": "@b @b @b", "b": "@c " * 400, "c": ""},
        ["`c` is one of more than 1000"],
    ),
    "a chain": ({letter: f"@{chr(ord(letter) + 1)}" for letter in "abcdefghi"}, ["`i` is 8 deep within others"]),
    "much text": ({"a": "@b @b", "b": "x " * (3 << 19)}, ["`b` cannot be read: more than 4194304 bytes"]),
    "no options": ({"a": "-frob " * 1000}, ["unknown option `-frob`"]),
}


@pytest.mark.parametrize("case", RESPONSES)
def test_response_files_have_bounds_and_each_fault_is_told_once(tmp_path: Path, case: str) -> None:
    files, told = RESPONSES[case]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    faults = parse_arguments(["@a"], str(tmp_path)).faults
    assert len(faults) == len(told)
    assert all(words in fault.message for fault, words in zip(faults, told, strict=True)), faults


def test_an_entry_point_without_a_name_is_main_as_in_dxc() -> None:
    assert parse("-T", "ps_6_6", "-E", "sky", "-E", "").shader.entry == "main"


def test_a_response_file_with_nul_is_none(tmp_path: Path) -> None:
    (tmp_path / "nul.rsp").write_bytes(b"-T ps_6_6 bad.hlsl\0 -DX")
    (tmp_path / "outer.rsp").write_text("@nul.rsp", encoding="utf-8")
    for name in ("nul.rsp", "outer.rsp"):
        arguments = parse_arguments([f"@{name}"], str(tmp_path))
        assert ([fault.kind for fault in arguments.faults], arguments.inputs) == (["response-file"], ())


def test_profiles_that_do_not_exist() -> None:
    assert read_profile("ps_6_11") is None
    assert read_profile("PS_6_0") is None
    assert read_profile("") is None
