"""The configuration file: where it is found, what it may say, how its faults are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.config import (
    Config,
    ConfigurationError,
    CppSettings,
    Override,
    TargetSettings,
    find_config,
    host_of,
    load_config,
    lowest,
    policy_of,
)
from bindlint.model.host import HostSettings, WrapperDescription
from bindlint.model.policy import EXTENSIONS, ExtensionSlot, Policy, RequiredBinding, SpaceRange
from bindlint.model.registers import RegisterRange


def test_every_key(tmp_path: Path) -> None:
    file = tmp_path / "bindlint.toml"
    file.write_text(
        """
select = ["BL1", "root-signature"]
ignore = ["BL104"]
include-dirs = ["include"]
defines = ["A=1", "B"]
hlsl-version = 2018
fail-on = "warning"

[severity]
register-overlap = "warning"
BL2 = "off"

[per-file-ignores]
"third_party/*" = ["BL1"]

[limits]
include-depth = 10

[target]
tier = 2
feature-level = "12_1"

[policy]
required = { b0 = "Frame", "t0, space1" = "SceneTextures" }
reserved-registers = ["u7"]
reserved-spaces = ["100-109"]
extension-slots = { nvapi = "u77, space77" }
reserve-dwords = 4

[cpp]
files = ["src/frame.h"]
include-dirs = ["src"]
structs = { FrameCB = "Frame" }

[[cpp.wrapper]]
function = "Layout::AddCbv"
gives = "cbv"
arguments = { register = 0 }
values = { visibility = 5 }
target = "append"

[[override]]
files = ["third_party/**"]
ignore = ["BL3"]
severity = { register-overlap = "info" }
""",
        encoding="utf-8",
    )
    config = load_config(file)
    assert config.select == ("BL1", "root-signature")
    assert config.severity == {"register-overlap": "warning", "BL2": "off"}
    assert config.per_file_ignores == {"third_party/*": ("BL1",)}
    assert config.defines == ("A=1", "B")
    assert (config.hlsl_version, config.fail_on, config.limits) == (2018, "warning", {"include-depth": 10})
    assert config.target == TargetSettings(tier=2, feature_level="12_1")
    assert config.folder == str(tmp_path.resolve())
    assert config.override == (Override(("third_party/**",), ("BL3",), {"register-overlap": "info"}),)
    wrapper = WrapperDescription("Layout::AddCbv", "cbv", {"register": 0}, {"visibility": 5}, "append")
    assert config.cpp == CppSettings(("src/frame.h",), ("src",), {"FrameCB": "Frame"}, (wrapper,))
    folder = tmp_path.resolve()
    assert host_of(config) == HostSettings(
        (wrapper,), (str(folder / "src" / "frame.h"),), (str(folder / "src"),), {"FrameCB": "Frame"}
    )
    assert policy_of(config.policy) == Policy(
        (
            RequiredBinding(RegisterRange("b", 0, 0, 0), "Frame"),
            RequiredBinding(RegisterRange("t", 1, 0, 0), "SceneTextures"),
        ),
        (RegisterRange("u", 0, 7, 7),),
        (SpaceRange(100, 109),),
        (ExtensionSlot("nvapi", "g_NvidiaExt", RegisterRange("u", 77, 77, 77)),),
        4,
    )


def test_presets_of_extensions(tmp_path: Path) -> None:
    file = tmp_path / "bindlint.toml"
    file.write_text("[policy]\nextension-slots = ['ags', 'nvapi']", encoding="utf-8")
    policy = policy_of(load_config(file).policy)
    assert policy is not None
    assert policy.extension_slots == (EXTENSIONS["ags"], EXTENSIONS["nvapi"])


def test_nothing_asked_is_no_target_and_no_policy() -> None:
    assert Config().target.target is None
    assert policy_of(Config().policy) is None


def wrapper(text: str) -> str:
    return f"[[cpp.wrapper]]\n{text}"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('\nselct = ["BL1"]', 2, "unknown key `selct`; did you mean `select`?"),
        ("[target]\n\nfeature_level = '12_0'", 3, "unknown key `target.feature_level`; did you mean `feature-level`?"),
        ("[severty]\nBL1 = 'off'", 1, "did you mean `severity`?"),
        ("[limits]\ninclude-dept = 3", 2, "unknown key `limits.include-dept`; did you mean `include-depth`?"),
        ("[limits]\n\ninclude-depth = 0", 3, "`include-depth`"),
        ("[limits]\nincludes = 1\ninclude-depth = 1001", 3, "`include-depth`: 1001 is more than 1000"),
        ("[limits]\nheld-bytes = 1000000000000", 2, "`held-bytes`: 1000000000000 is more than 268435456"),
        ('\ninclude-dirs = ["a", "\\u0000"]', 2, "`include-dirs`: no path has a NUL character"),
        ("virtual-directories = { '/E' = '" + "x" * 5000 + "' }", 1, "`virtual-directories`: the path has 5000 bytes"),
        ('include-dirs = []\n[cpp]\ninclude-dirs = ["\\u0000"]', 3, "`include-dirs`: no path has a NUL character"),
        ("[cpp]\nfiles = ['" + "x" * 256 + "']", 2, "`files`: a name of 256 bytes is longer than the 255"),
        ('[[override]]\nfiles = ["["]', 2, "`files`: `[` matches no file: a `[` is open"),
        ('[per-file-ignores]\n"" = ["BL1"]', 1, "`per-file-ignores`: `` matches no file: it is empty"),
        ("[[heap]]\nname = 'a'\ntype = 'RTV'\ncount = 4294967296", 4, "`count`: expected `int` <= 4294967295"),
        ("folder = 'x'", 1, "unknown key `folder`"),
        ("\n\nfail-on = 'fatal'", 3, "`fail-on`"),
        ("ignore = 'BL1'", 1, "expected `array`, got `str`"),
        ("[severity]\nBL1 = 'fatal'", 2, "`BL1`"),
        ("hlsl-version = 1999", 1, "`hlsl-version`"),
        ("[target]\ntier = 4", 2, "`tier`"),
        ("[target]\ntier = 1\nfeature-level = '12_3'", 3, "`feature-level`"),
        ("[policy]\nreserve-dword = 1", 2, "unknown key `policy.reserve-dword`; did you mean `reserve-dwords`?"),
        ("[policy]\nreserve-dwords = 65", 2, "`reserve-dwords`"),
        ("[policy]\nrequired = { x0 = 'Frame' }", 2, "`x0` is no register; write it as `b0`"),
        ("[policy]\n\nreserved-registers = ['t0', 't1-t0']", 3, "`t1-t0` is no register"),
        ("[policy]\nreserved-spaces = ['a']", 2, "`a` is no register space; write it as `7` or `100-109`"),
        ("[policy]\nextension-slots = ['nvap']", 2, "there is no extension `nvap`; known are nvapi, ags"),
        ("[policy]\nextension-slots = { ags = 'x' }", 2, "`x` is no register"),
        ("[cpp]\nstructs = { Frame = 3 }", 2, "`structs`: expected `str`, got `int`"),
        ("[cpp]\ninclude_dirs = []", 2, "unknown key `cpp.include_dirs`; did you mean `include-dirs`?"),
        ("[cpp]\nwraper = []", 2, "unknown key `cpp.wraper`; did you mean `wrapper`?"),
        (wrapper("function = 'F'\ngive = 'cbv'"), 3, "unknown key `cpp.wrapper.give`; did you mean `gives`?"),
        (wrapper("function = 'F'"), 1, "missing required field `gives`"),
        (wrapper("function = ''\ngives = 'cbv'"), 1, "`wrapper`"),
        (wrapper("function = 'F'\ngives = 'uva'"), 1, "invalid enum value 'uva'"),
        (wrapper("function = 'F'\ngives = 'srv'\narguments = { register = -1 }"), 1, "`wrapper`"),
        (
            wrapper("function = 'F'\ngives = 'srv'\narguments = { regster = 0 }"),
            4,
            "no `regster`; did you mean `reg",
        ),
        (wrapper("function = 'F'\ngives = 'srv'\nvalues = { register = 4294967296 }"), 1, "`wrapper`"),
        (
            wrapper("function = 'F'\ngives = 'srv'\nvalues = { visibility = 8 }"),
            1,
            "`visibility` of wrapper `F` is 8, above 7",
        ),
        (wrapper("function = 'F'\ngives = 'srv'\nvalues = { count = 1 }"), 4, "wrapper `F`: srv has no `count`"),
        ("[[override]]\nfile = ['a']", 2, "unknown key `override.file`; did you mean `files`?"),
        ("[[override]]\nignore = ['a']", 1, "missing required field `files`"),
        ("[[override]]\nfiles = []\n[[override]]\nfiles = ['a']\nsevrity = {}", 5, "`override.sevrity`"),
    ],
)
def test_faults_name_key_line_and_nearest(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "bindlint.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_config(file)
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"select = = 1", "line 1"), (b"select = '\xff'", "is not UTF-8"), (None, "cannot be read")],
)
def test_unreadable_files(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "bindlint.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=message):
        load_config(file)


def test_the_nearest_file_up_to_the_repository(tmp_path: Path) -> None:
    outer, inner = tmp_path / "bindlint.toml", tmp_path / "repo" / "a" / "bindlint.toml"
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    outer.touch()
    assert find_config(deep) == outer
    (tmp_path / "repo" / ".git").mkdir()
    assert find_config(deep) is None
    inner.touch()
    assert find_config(deep) == inner


def test_fail_on() -> None:
    assert lowest("warning") == ("error", "warning")
    assert lowest("never") == ()
