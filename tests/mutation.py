"""Changes one thing at a time in the rules' code and asks their pages and unit tests whether it shows.

    python tests/mutation.py [NAME ...]     prints each mutant that nothing tells from the original

A mutant is a comparison turned, an `and` for an `or`, a number moved by one, a condition that always or never holds, a
`+` for a `-`; no file is touched. A name is that of a family, which is a folder of rules, or of one module in it,
`input/problems`. The pages of the family judge a mutant first, its own before the others; what passes there goes to the
tests that `TESTS` names for the family. Each survivor is a change that alters no verdict, or a twin that both lack.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import signal
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from bindlint.engine_rules import ENGINE_RULES
from bindlint.rule import Rule
from bindlint.testing import check_page
from hypothesis import Phase, settings

PACKAGE = "bindlint_rules"
TESTS = {
    "policy": ("unit/test_rules_policy.py",),
    "registers": (
        "unit/test_register_rules.py",
        "unit/test_register_overlaps.py",
        "unit/test_register_messages.py",
        "unit/test_register_severities.py",
        "properties/test_number_lines.py",
        "properties/test_overlap_properties.py",
    ),
    "root_signature": (
        "unit/test_rules_root_signature.py",
        "unit/test_root_signature_messages.py",
        "unit/test_rules_root_signature_coverage.py",
    ),
    "shader_signature": (
        "unit/test_rules_shader_signature.py",
        "unit/test_rules_root_signature_coverage.py",
        "unit/test_rules_stale_container.py",
    ),
    "targets": ("unit/test_rules_targets.py", "unit/test_unpopulated_lists.py"),
}
"""The tests of a family's rules besides their pages, within this file's folder."""

# One example that fails is enough, and the shortest one takes long to find.
settings.register_profile("mutants", deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))

TIME_LIMIT = 60
"""So many seconds, and what still runs is told from the original: it has lost the end of a loop."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutant:
    """A module's tree with one node changed, and what was changed."""

    def __init__(self, tree: ast.Module, line: int, what: str) -> None:
        self.tree = tree
        self.line = line
        self.what = what


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module's functions; module-level tables and docstrings stay."""
    original = ast.parse(source)
    count = sum(1 for _ in ast.walk(original))
    for index in range(count):
        for variant in range(2):
            tree = copy.deepcopy(original)
            node = next(n for i, n in enumerate(ast.walk(tree)) if i == index)
            if not any(node in ast.walk(f) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)):
                break
            what = _change(node, variant)
            if what:
                yield Mutant(ast.fix_missing_locations(tree), node.lineno, what)  # type: ignore[attr-defined]


def _change(node: ast.AST, variant: int) -> str:
    """Change the node in place; "" where it has no such variant."""
    if isinstance(node, ast.Compare) and variant == 0:
        before = ast.unparse(node)
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
        return f"{before}  ->  {ast.unparse(node)}"
    if isinstance(node, ast.BoolOp) and variant == 0:
        before = ast.unparse(node)
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return f"{before}  ->  {ast.unparse(node)}"
    if isinstance(node, ast.Constant) and type(node.value) is int and variant == 0:
        node.value += 1
        return f"{node.value - 1}  ->  {node.value}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and variant == 0:
        before = ast.unparse(node)
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return f"{before}  ->  {ast.unparse(node)}"
    if isinstance(node, ast.If | ast.IfExp):
        before = ast.unparse(node.test)
        node.test = ast.copy_location(ast.Constant(variant == 0), node.test)
        return f"if {before}  ->  if {variant == 0}"
    if isinstance(node, ast.comprehension) and node.ifs:
        before = ast.unparse(node.ifs[0])
        node.ifs[0] = ast.copy_location(ast.Constant(variant == 0), node.ifs[0])
        node.lineno = node.ifs[0].lineno  # type: ignore[attr-defined]
        return f"for ... if {before}  ->  if {variant == 0}"
    return ""


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the mutated module under its own name."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def exec_module(self, module: types.ModuleType) -> None:
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def rules(finder: _Finder | None) -> tuple[Rule, ...]:
    """The built-in rules, imported anew."""
    for name in [n for n in sys.modules if n == PACKAGE or n.startswith(PACKAGE + ".")]:
        del sys.modules[name]
    if finder is None:
        return importlib.import_module(PACKAGE).RULES  # type: ignore[no-any-return]
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(PACKAGE).RULES  # type: ignore[no-any-return]
    finally:
        sys.meta_path.remove(finder)


def survives(finder: _Finder | None, module: Path) -> bool:
    """Whether every page and test of the family passes with the mutated module, or with none."""
    signal.alarm(TIME_LIMIT)
    try:
        mutated = (*rules(finder), *ENGINE_RULES)
        pages = [Path(rule.page) for rule in mutated if Path(rule.page).parent == module.parent]
        pages.sort(key=lambda page: page.stem != module.stem)
        return not any(check_page(page, mutated) for page in pages) and _tests_pass(module.parent.name)
    except Exception:  # a mutant that cannot even run is told from the original
        return False
    finally:
        signal.alarm(0)


def _tests_pass(family: str) -> bool:
    """Whether the family's tests pass with the rules that are imported now."""
    folder = Path(__file__).resolve().parent
    for name, module in list(sys.modules.items()):
        if name != "__main__" and folder in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]
    files = [str(folder / name) for name in TESTS.get(family, ())]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    with contextlib.redirect_stdout(io.StringIO()):
        return not files or pytest.main([*options, *files]) == 0


def _out_of_time(number: int, frame: types.FrameType | None) -> None:
    raise TimeoutError


def main(chosen: list[str]) -> int:
    signal.signal(signal.SIGALRM, _out_of_time)
    root = Path(importlib.import_module(PACKAGE).__file__ or "").parent
    total = survivors = 0
    for path in sorted(root.glob("*/*.py")):
        names = {path.parent.name, f"{path.parent.name}/{path.stem}"}
        if path.name == "__init__.py" or (chosen and names.isdisjoint(chosen)):
            continue
        if not survives(None, path):
            print(f"{path.relative_to(root)}: a page or test of its family fails as it is")
            return 1
        made = alive = 0
        name = f"{PACKAGE}.{path.parent.name}.{path.stem}"
        for mutant in mutants(path.read_text(encoding="utf-8")):
            made += 1
            if survives(_Finder(name, path, mutant.tree), path):
                alive += 1
                print(f"{path.relative_to(root)}:{mutant.line}: {mutant.what}", flush=True)
        print(f"{path.relative_to(root)}: {made} mutants, {alive} survive", flush=True)
        total, survivors = total + made, survivors + alive
    print(f"{total} mutants, {survivors} survive")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
