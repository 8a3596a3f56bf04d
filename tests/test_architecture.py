"""The house stays as it is drawn: layers, public surface, what stands where, what is imported when, what is shipped."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from bindlint.engine_rules import ENGINE_RULES
from bindlint_rules import RULES as BUILT_IN
from facts_table import facts_table, known_ids, read_facts, with_facts
from importlinter.cli import lint_imports
from notes_table import notes_table, read_notes, topic_of, with_notes
from rule_table import END, START, rule_table, with_table

ROOT = Path(__file__).resolve().parents[1]
SOURCE_ROOTS = ("analyzer", "grammars", "rules")
TOP_LEVEL = {*SOURCE_ROOTS, "tests", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "action.yml"}
MODULES = sorted(path for root in SOURCE_ROOTS for path in (ROOT / root).rglob("*.py"))
PUBLIC_SURFACE = ROOT / "tests" / "public_surface.txt"
PUBLIC_MODULES = ("bindlint", "bindlint.rule", "bindlint.testing", "bindlint.model", "bindlint.engine")
SHIPPED = (".md", ".scm", ".lark", ".toml", ".hlsl", ".py", ".typed", ".cmake", ".targets", ".yml", ".yaml")
HEAVY = (
    "lark",
    "lsprotocol",
    "msgspec",
    "networkx",
    "pygls",
    "rich",
    "tree_sitter",
    "bindlint_rules",
    "bindlint_grammars",
)
RULES = tuple(sorted((*BUILT_IN, *ENGINE_RULES), key=lambda rule: rule.code))


def test_layers_and_other_import_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


def test_only_these_stand_at_the_top() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = {line.partition("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


@pytest.mark.parametrize("folder", [*SOURCE_ROOTS, "tests"])
def test_no_package_at_the_top(folder: str) -> None:
    assert not (ROOT / folder / "__init__.py").exists()
    assert (ROOT / folder / "README.md").is_file()


@pytest.mark.parametrize("module", MODULES, ids=[str(path.relative_to(ROOT)) for path in MODULES])
def test_modules_are_small_and_say_what_they_are_for(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring, "a module says in one sentence what it is for"
    assert len(text.splitlines()) <= 400


def _public_names(path: Path, module: str) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                arguments = ", ".join(argument.arg for argument in (*node.args.args, *node.args.kwonlyargs))
                yield f"{module}.{name}({arguments})"
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield f"{module}.{name}"
                for member in node.body:
                    if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                        yield f"{module}.{name}.{member.target.id}"
                    elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                        yield f"{module}.{name}.{member.name}()"
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if not name.startswith("_"):
                    yield f"{module}.{name}"


def test_public_surface(update: bool) -> None:
    """What rule packs may build upon changes only on purpose: `pytest tests/test_architecture.py --update`."""
    lines: list[str] = []
    for module in PUBLIC_MODULES:
        place = ROOT / "analyzer" / module.replace(".", "/")
        paths = [place.with_suffix(".py")] if place.with_suffix(".py").is_file() else sorted(place.glob("*.py"))
        for path in paths if module != "bindlint" else [place / "__init__.py"]:
            name = module if path.stem in (place.name, "__init__") else f"{module}.{path.stem}"
            lines += _public_names(path, name)
    text = "\n".join([*sorted(lines), ""])
    if update:
        PUBLIC_SURFACE.write_text(text, encoding="utf-8")
    assert text == PUBLIC_SURFACE.read_text(encoding="utf-8")


@pytest.mark.parametrize("readme", [ROOT / "README.md", ROOT / "rules" / "README.md"], ids=["README", "rules"])
def test_rule_tables_are_those_of_the_rules(readme: Path, update: bool) -> None:
    text = readme.read_text(encoding="utf-8")
    assert START in text and END in text
    expected = with_table(text, rule_table(RULES, readme))
    if update:
        readme.write_text(expected, encoding="utf-8")
    assert readme.read_text(encoding="utf-8") == expected


def test_every_known_fact_is_held_by_rules_or_has_its_reason() -> None:
    held = {fact: rules for facts in read_facts().values() for fact, rules in facts.items()}
    assert held.keys() == known_ids()
    codes = {rule.code for rule in RULES}
    for fact, rules in held.items():
        assert rules, fact
        if isinstance(rules, list):
            assert set(rules) <= codes, f"{fact} names a rule that is not there"


def test_the_table_of_facts_is_that_of_the_rules(update: bool) -> None:
    readme = ROOT / "rules" / "README.md"
    expected = with_facts(readme.read_text(encoding="utf-8"), facts_table(RULES, readme))
    if update:
        readme.write_text(expected, encoding="utf-8")
    assert readme.read_text(encoding="utf-8") == expected


def test_every_statement_of_the_notes_is_held_told_or_has_its_reason() -> None:
    codes = {rule.code for rule in RULES}
    for statements in read_notes().values():
        for statement, held in statements.items():
            topic = topic_of(held)
            assert held, statement
            assert topic is None or topic.is_file(), f"{statement}: no topic {topic}"
            assert isinstance(held, str) or set(held) <= codes, f"{statement} names a rule that is not there"


def test_the_table_of_notes_is_that_of_the_rules(update: bool) -> None:
    readme = ROOT / "rules" / "README.md"
    expected = with_notes(readme.read_text(encoding="utf-8"), notes_table(RULES, readme))
    if update:
        readme.write_text(expected, encoding="utf-8")
    assert readme.read_text(encoding="utf-8") == expected


def test_codes_and_names_are_unique_and_formed_alike() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.code[:2] == "BL" and len(rule.code) == 5 and rule.code[2:].isdigit()
        assert rule.name == rule.name.lower() and " " not in rule.name
        assert not rule.summary.endswith(".")


def _imported_by(program: str) -> set[str]:
    script = f"import sys\n{program}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_version_imports_nothing_heavy() -> None:
    program = "sys.argv = ['bindlint', '--version']\nfrom bindlint.cli import main\n"
    program += "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    imported = _imported_by(program)
    assert "bindlint.cli" in imported
    assert not imported.intersection(HEAVY)


def test_rules_import_no_syntax() -> None:
    imported = _imported_by("import bindlint_rules")
    assert "bindlint_rules.registers.register_overlap" in imported
    assert not imported.intersection({"lark", "networkx", "rich", "tree_sitter", "click"})


def test_the_wheel_holds_pages_queries_grammars_and_data(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    import zipfile

    shipped = set(zipfile.ZipFile(built).namelist())
    wanted = {
        path.relative_to(ROOT / root).as_posix()
        for root in SOURCE_ROOTS
        for package in (ROOT / root).glob("bindlint*")
        for path in package.rglob("*")
        if path.suffix in SHIPPED
    }
    assert any(name.endswith(".scm") for name in wanted) and any(name.endswith(".lark") for name in wanted)
    assert wanted <= shipped
    assert not [name for name in shipped if name.startswith("tests")]


def test_version_is_told_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{project['version']}]" in changelog or "## [Unreleased]" in changelog
