"""`bindlint new-rule`: the module and the page of a new rule, and a pack around them where there is none yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

import click
import msgspec

from bindlint.cli import Failure
from bindlint.paths import path_fault
from bindlint.plugins import FAMILIES, GROUP, load_rules

_SCAFFOLD = Path(__file__).resolve().parent.parent / "data" / "scaffold"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_CODE = re.compile(r"""["']([A-Z]+)(\d+)["']""")
_OWN_LETTERS = "BL"

_HELP = """Make the module and the page of a rule called NAME; the page is the rule's test, and passes as it is.

In a folder that is no rule pack yet a whole pack is made: pyproject.toml with its entry point, the package, a test.
"""


class _Pack(msgspec.Struct, frozen=True):
    """A rule pack: its project's folder, its package and where that lies."""

    folder: Path
    module: str
    package: Path
    is_new: bool = False


@click.command("new-rule", help=_HELP)
@click.argument("name")
@click.option("--pack", "folder", default=".", metavar="DIR", help="The pack's project folder (default: this one).")
@click.option("--family", metavar="FAMILY", help="Folder within the package; bindlint's own rules need it.")
@click.option("--code", metavar="CODE", help="The rule's code (default: the next free one of the pack).")
def command(name: str, folder: str, family: str | None, code: str | None) -> None:
    if not _NAME.fullmatch(name):
        raise Failure(f"`{name}` is no rule name: small letters and digits, with hyphens between words")
    if fault := path_fault(f"{name}.py"):
        raise Failure(f"no rule can be called that: {fault}")
    taken = next((rule for rule in load_rules() if rule.name == name), None)
    if taken is not None:
        raise Failure(f"the rule {taken.code} is called `{name}` already")
    pack = _pack(Path(folder).resolve())
    prefix = _prefix(pack, family)
    values = {
        "code": code or _next_code(pack, prefix),
        "name": name,
        "summary": name.replace("-", " ").capitalize(),
        "example": "".join(word.capitalize() for word in name.split("-")),
        "module": pack.module,
        "distribution": pack.module.replace("_", "-"),
    }
    if not re.fullmatch(r"[A-Z]+\d+", values["code"]):
        raise Failure(f"`{values['code']}` is no code: capital letters, then digits")
    place = _folder(pack, family, prefix)
    files = dict(_files(pack, place, name.replace("-", "_")))
    present = next((path for path in files if path.exists()), None)
    if present is not None:
        raise Failure(f"{present} is already there")
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = Template((_SCAFFOLD / template).read_text(encoding="utf-8")).safe_substitute(values) if template else ""
        path.write_text(text, encoding="utf-8")
        click.echo(f"made {path}")
    if not pack.is_new and "collect(" not in (pack.package / "__init__.py").read_text(encoding="utf-8"):
        click.echo(f"to be done: put the rule into RULES of {pack.package / '__init__.py'}")
    click.echo(f"{values['code']} {name} is found once the pack is installed: pip install -e {pack.folder}")


def _files(pack: _Pack, place: Path, stem: str) -> Iterator[tuple[Path, str]]:
    """Each file to be made, with the template that it is made from."""
    if pack.is_new:
        yield pack.folder / "pyproject.toml", "pyproject.toml.txt"
        yield pack.package / "__init__.py", "package.py.txt"
        yield pack.folder / "tests" / "test_pages.py", "test_pages.py.txt"
    if place != pack.package and not (place / "__init__.py").exists():
        yield place / "__init__.py", "family.py.txt"
    yield place / f"{stem}.py", "rule.py.txt"
    yield place / f"{stem}.md", "page.md.txt"


def _folder(pack: _Pack, family: str | None, prefix: str) -> Path:
    """Where the rules of the family lie: beside one of them, else in a folder of the family's name."""
    if not family:
        return pack.package
    codes = re.compile(rf"""Rule\(\s*["']{prefix}\d""")
    modules = sorted(pack.package.rglob("*.py"))
    beside = next((path for path in modules if codes.search(path.read_text(encoding="utf-8", errors="replace"))), None)
    own = pack.package / family.replace("-", "_")
    return own if beside is None or beside.parent == pack.package else beside.parent


def _pack(folder: Path) -> _Pack:
    """The pack whose project lies in the folder; a new one, named after the folder, where there is no project."""
    project = folder / "pyproject.toml"
    if not project.exists():
        module = re.sub(r"\W+", "_", folder.name.lower()).strip("_")
        if not module.isidentifier():
            raise Failure(f"no package can be called after the folder `{folder.name}`")
        return _Pack(folder, module, folder / module, is_new=True)
    module = _entry_point(project)
    packages = sorted(folder.rglob(f"{module}/__init__.py"))
    found = next((path for path in packages if "site-packages" not in path.parts), None)
    if found is None:
        raise Failure(f"{project} names the package `{module}`, but there is no {module}/__init__.py below {folder}")
    return _Pack(folder, module, found.parent)


def _entry_point(project: Path) -> str:
    """The module that the project gives as its rule pack."""
    import tomllib

    try:
        values: dict[str, Any] = tomllib.loads(project.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        raise Failure(f"{project}: {error}") from error
    points = values.get("project", {}).get("entry-points", {}).get(GROUP, {})
    module = next(iter(points.values()), "")
    if not module:
        raise Failure(f'{project} has no [project.entry-points."{GROUP}"], so it is no rule pack')
    return str(module).partition(":")[0].replace(".", "/")


def _prefix(pack: _Pack, family: str | None) -> str:
    """What the codes of the new rule start with: the letters that the pack has already, or those of its name."""
    letters = {found[0] for found in _codes(pack)}
    if _OWN_LETTERS in letters:
        if family not in FAMILIES:
            raise Failure(f"--family says where the rule belongs: {', '.join(FAMILIES)}")
        return FAMILIES[family]
    if letters:
        return min(letters)
    words = [word for word in pack.module.upper().split("_") if word not in ("RULES", "BINDLINT", "LINT")]
    named = re.sub(r"[^A-Z]", "", "".join(words) or pack.module.upper())
    return named if named and named != _OWN_LETTERS else f"{named}X"


def _next_code(pack: _Pack, prefix: str) -> str:
    taken = [letters + digits for letters, digits in _codes(pack)]
    mine = [code for code in taken if code.startswith(prefix)]
    width = max((len(code) for code in mine), default=len(prefix.rstrip("0123456789")) + 3)
    number = max((int(code[len(prefix) :] or 0) for code in mine), default=0) + 1
    return prefix + str(number).zfill(width - len(prefix))


def _codes(pack: _Pack) -> list[tuple[str, str]]:
    """Letters and digits of every code in the pack's modules."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in sorted(pack.package.rglob("*.py")))
    return [found for text in texts if "Rule(" in text for found in _CODE.findall(text)]
