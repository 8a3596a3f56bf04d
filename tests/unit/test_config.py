"""The configuration file: where it is found, what it may say, how its faults are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.config import ConfigurationError, TargetSettings, find_config, load_config, lowest


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


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('\nselct = ["BL1"]', 2, "unknown key `selct`; did you mean `select`?"),
        ("[target]\n\nfeature_level = '12_0'", 3, "unknown key `target.feature_level`; did you mean `feature-level`?"),
        ("[severty]\nBL1 = 'off'", 1, "did you mean `severity`?"),
        ("[limits]\ninclude-dept = 3", 2, "unknown key `limits.include-dept`; did you mean `include-depth`?"),
        ("[limits]\n\ninclude-depth = 0", 3, "`include-depth`"),
        ("folder = 'x'", 1, "unknown key `folder`"),
        ("\n\nfail-on = 'fatal'", 3, "`fail-on`"),
        ("ignore = 'BL1'", 1, "expected `array`, got `str`"),
        ("[severity]\nBL1 = 'fatal'", 2, "`BL1`"),
        ("hlsl-version = 1999", 1, "`hlsl-version`"),
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
