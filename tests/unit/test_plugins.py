"""Rule packs: installed ones are found, broken ones are named."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from bindlint.config import ConfigurationError
from bindlint.plugins import GROUP, family_of, load_rules, pack_of

PACK = """
from bindlint.rule import Rule
RULES = ({rules})
"""
RULE = "Rule({code!r}, {name!r}, 'info', 'shader', '', check=lambda a: ())"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    def make(name: str, text: str) -> EntryPoint:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        request.addfinalizer(lambda: sys.modules.pop(name, None))
        return EntryPoint(name, name, GROUP)

    monkeypatch.syspath_prepend(tmp_path)
    return make


def rules(*named: tuple[str, str]) -> str:
    return PACK.format(rules="".join(RULE.format(code=code, name=name) + ", " for code, name in named))


def test_rules_of_all_packs_by_code(pack) -> None:  # type: ignore[no-untyped-def]
    packs = [pack("pack_b", rules(("B2", "b-two"), ("B1", "b-one"))), pack("pack_a", rules(("A1", "a-one")))]
    found = load_rules(packs)
    assert [rule.code for rule in found] == ["A1", "B1", "B2"]
    assert [pack_of(rule) for rule in found] == ["pack_a", "pack_b", "pack_b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_module_anywhere", "`pack_bad`.*ModuleNotFoundError"),
        ("1 / 0", "`pack_bad`.*ZeroDivisionError"),
        ("def f(:", "`pack_bad`.*SyntaxError"),
        ("", "`pack_bad`.*has no `RULES"),
        ("RULES = [1]", "`pack_bad`.*has no `RULES"),
    ],
)
def test_a_pack_that_cannot_be_used_is_named(pack, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigurationError, match=message):
        load_rules([pack("pack_bad", text)])


@pytest.mark.parametrize("second", [("A1", "other"), ("A2", "a-one")])
def test_codes_and_names_are_unique(pack, second: tuple[str, str]) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigurationError, match=r"pack_d.*repeats.*pack_c"):
        load_rules([pack("pack_c", rules(("A1", "a-one"))), pack("pack_d", rules(second))])


def test_families() -> None:
    assert (family_of("BL103"), family_of("BL090"), family_of("ACME12")) == ("registers", "input", "ACME")


def test_the_built_in_pack_is_found_by_its_entry_point() -> None:
    assert "register-overlap" in {rule.name for rule in load_rules()}
