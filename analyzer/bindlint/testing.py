"""Runs the page of a rule as its test: each HLSL block must give exactly the findings that its marks announce.

A page is Markdown with fixed headings. A block of code in it starts with a comment that gives the compiler's arguments,
and each line at which a finding starts ends in a mark:

    ```hlsl
    // bindlint: -T ps_6_6 -E main
    Texture2D wrong : register(u0); // expect: BL102 "takes a t register"
    ```

`// file: NAME` starts another file of the same block. Besides arguments the first line takes `oracle=gap` (the real
compiler accepts what is reported here), `oracle=skip:REASON` (it cannot be asked), `encoding=NAME` (of the files; UTF-8
by default), `limit:NAME=NUMBER` (one of the preprocessor's limits) and `entries=found` (no target profile: all entry
points that the file holds are checked together).

Files of C++ (`.cpp` and others, `.h` that mention D3D12) are host code: their pipelines, and the `[[pipeline]]` of the
configuration, are joined with the shaders. A block of C++ alone, fenced as `cpp`, has the main file `host.cpp` and no
shader unless a file of it is one.

A block of TOML whose first line is `# bindlint.toml` is the configuration of the next block of HLSL.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from bindlint_grammars.hlsl.limits import Limits

from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.config import CONFIG_NAME, Config, host_of, load_config
from bindlint.discovery import is_host_file
from bindlint.engine import Engine, ProjectReport, Report
from bindlint.gather import Gatherer, pipelines_of
from bindlint.model.finding import Finding
from bindlint.model.shader import Shader
from bindlint.paths import SHADER_SUFFIXES
from bindlint.rule import Rule

HEADINGS = ("Why it matters", "Bad", "Good", "Edge cases", "Source")
"""The second-level headings of every page, in order."""

MAIN_FILE = "shader.hlsl"
HOST_FILE = "host.cpp"
ROOT = "shaders"
"""A block's files lie in a folder of that name, the only one from which includes may be read."""

_FENCE = re.compile(r"^```(hlsl|cpp|toml)[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
_CONFIGURATION = f"# {CONFIG_NAME}\n"
_TITLE = re.compile(r"^# (?P<name>[a-z0-9-]+) \((?P<code>[A-Z]+[0-9]+)\)$", re.M)
_OPTIONS = "// bindlint: "
_FILE = "// file: "
_SETTING = re.compile(r"(oracle|encoding|entries|limit:\w+)=(.*)")
_MARKS = re.compile(r"// expect:(.*)$")
_MARK = re.compile(r'([A-Z]+[0-9]+)(?:\s+"([^"]*)")?')


class Mark(msgspec.Struct, frozen=True):
    """One expected finding: its file within the block and its line there, its code, and a part of its message."""

    file: str
    line: int
    code: str
    text: str


class Block(msgspec.Struct, frozen=True):
    """One block of code. `line` is its first one's in the page; `files` are names and contents, the main one first.

    `oracle` is "gap" where the real compiler accepts what is reported, "skip:REASON" where it cannot be asked.
    `configuration` is the text of the `bindlint.toml` beside the main file, "" for none.
    """

    line: int
    arguments: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    marks: tuple[Mark, ...]
    oracle: str = ""
    limits: tuple[tuple[str, int], ...] = ()
    configuration: str = ""

    @property
    def has_shader(self) -> bool:
        """Whether the main file is a shader."""
        return self.files[0][0] == MAIN_FILE

    def write(self, folder: Path) -> Path:
        """Lay the files out in the folder `shaders` within `folder`, or beside it; returns the main file's path."""
        root = folder / ROOT
        for name, content in self.files:
            path = Path(os.path.normpath(root / name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if self.configuration:
            (root / CONFIG_NAME).write_text(self.configuration, encoding="utf-8")
        return root / self.files[0][0]


class Page(msgspec.Struct, frozen=True):
    """A rule's page: `name` and `code` as its title gives them."""

    path: Path
    name: str
    code: str
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]


def read_page(path: Path) -> Page:
    """Read the page; what is malformed in it comes back as empty fields."""
    text = path.read_text(encoding="utf-8")
    title = _TITLE.match(text)
    prose = _FENCE.sub("", text)
    return Page(
        path,
        title["name"] if title else "",
        title["code"] if title else "",
        tuple(re.findall(r"^## (.+)$", prose, re.M)),
        tuple(_read_blocks(text)),
    )


def _read_blocks(text: str) -> Iterator[Block]:
    configuration = ""
    for match in _FENCE.finditer(text):
        if match[1] != "toml":
            main = MAIN_FILE if match[1] == "hlsl" else HOST_FILE
            yield _read_block(match[2], text.count("\n", 0, match.start(2)) + 1, configuration, main)
            configuration = ""
        elif match[2].startswith(_CONFIGURATION):
            configuration = match[2]


def check_page(path: Path, rules: Iterable[Rule]) -> list[str]:
    """Everything in which the page and the findings of `rules` on its blocks differ, each as `page:line: what`.

    Also holds the page to the form of all pages: title, headings, and a block that shows the rule at work.
    """
    page, known = read_page(path), tuple(rules)
    wrong = []
    if (page.code, page.name) not in {(rule.code, rule.name) for rule in known}:
        wrong.append(f"{path}:1: the title must be `# name (CODE)` of a rule, not {page.name!r} ({page.code!r})")
    if page.headings != HEADINGS:
        wrong.append(f"{path}:1: the headings must be {', '.join(HEADINGS)}, not {', '.join(page.headings)}")
    if page.blocks and all(mark.code != page.code for block in page.blocks for mark in block.marks):
        wrong.append(f"{path}:1: no block shows a finding of {page.code}")
    for block in page.blocks:
        wrong += (f"{path}:{block.line}: {difference}" for difference in check_block(block, known, page.code))
    return wrong


def check_block(block: Block, rules: Iterable[Rule], code: str = "") -> list[str]:
    """In what the marks of a block and the findings on it differ.

    Findings of severity "info" need no mark, except those of the rule `code`, whose page it is.
    """
    with tempfile.TemporaryDirectory() as folder:
        findings = find(block, rules, Path(folder))
        return list(_differences(block, findings, Path(folder).resolve() / ROOT, code))


def find(block: Block, rules: Iterable[Rule], folder: Path) -> tuple[Finding, ...]:
    """Write the block's files into `folder` and judge its main file by the rules."""
    main = block.write(folder.resolve())
    limits = msgspec.structs.replace(Limits(), **dict(block.limits))
    config = load_config(main.parent / CONFIG_NAME) if block.configuration else Config()
    analyser = Analyser(limits, host_of(config))
    arguments = parse_arguments(block.arguments, str(main.parent))
    shader = msgspec.structs.replace(arguments.shader, file=str(main), roots=(str(main.parent),))
    engine = Engine(rules, config, source=analyser.source)
    analyses = tuple(map(analyser.analyse, analyser.discover(shader))) if block.has_shader else ()
    reports: list[Report | ProjectReport] = []
    reports += (engine.check(analysis, analyses if analysis is analyses[-1] else ()) for analysis in analyses)
    hosts = [path for name, _ in block.files if is_host_file(path := str(main.parent / name), named=True)]
    if hosts or config.pipeline or config.heap:
        gatherer = Gatherer(analyser, config, Shader("", roots=(str(main.parent),)))
        shaders = [str(main.parent / name) for name, _ in block.files if name.endswith(tuple(SHADER_SUFFIXES))]
        read = map(gatherer.host, hosts)
        reports += engine.check_project(gatherer.project(read, shaders, pipelines_of(config, analyser), analyses))
    findings = dict.fromkeys(finding for report in reports for finding in report.findings)
    suppressions = [suppression for report in reports for suppression in report.suppressions]
    return *findings, *engine.judge_suppressions(suppressions, {used for report in reports for used in report.used})


def _differences(block: Block, findings: Iterable[Finding], root: Path, code: str) -> Iterator[str]:
    unmarked = list(findings)
    for mark in block.marks:
        place = (os.path.normpath(root / mark.file), mark.line)
        there = [finding for finding in unmarked if _place(finding) == place]
        met = next((f for f in there if f.code == mark.code and mark.text in f.violation.message), None)
        if met is not None:
            unmarked.remove(met)
        else:
            found = "; ".join(f"{f.code} {f.violation.message}" for f in there) or "nothing"
            yield f'{mark.file}:{mark.line}: expected {mark.code} "{mark.text}", found {found}'
    for finding in unmarked:
        if finding.severity != "info" or finding.code == code:
            path, line = _place(finding)
            where = f"{os.path.relpath(path, root) if path else MAIN_FILE}:{line}"
            yield f"{where}: unexpected {finding.severity}[{finding.code}] {finding.violation.message}"


def _place(finding: Finding) -> tuple[str, int]:
    span = finding.violation.span
    return os.path.normpath(span.file) if span.file else "", span.line


def _read_block(code: str, line: int, configuration: str, main: str) -> Block:
    lines = code.rstrip("\n").split("\n")
    settings: dict[str, str] = {}
    arguments = []
    first = _MARKS.sub("", lines[0])
    for option in shlex.split(first.removeprefix(_OPTIONS)) if first.startswith(_OPTIONS) else ():
        setting = _SETTING.fullmatch(option)
        if setting:
            settings[setting[1]] = setting[2]
        else:
            arguments.append(option)
    files: dict[str, list[str]] = {main: []}
    name = main
    marks = []
    for text in lines:
        if text.startswith(_FILE):
            name = text.removeprefix(_FILE).strip()
            files[name] = []
            continue
        files[name].append(text)
        announced = _MARKS.search(text)
        for rule_code, part in _MARK.findall(announced[1]) if announced else ():
            marks.append(Mark(name, len(files[name]), rule_code, part))
    encoding = settings.get("encoding", "utf-8")
    return Block(
        line,
        tuple(arguments) if settings.get("entries") == "found" else _with_defaults(arguments),
        tuple((name, "\n".join([*content, ""]).encode(encoding)) for name, content in files.items()),
        tuple(marks),
        settings.get("oracle", ""),
        tuple((key.removeprefix("limit:"), int(value)) for key, value in settings.items() if key.startswith("limit:")),
        configuration,
    )


def _with_defaults(arguments: list[str]) -> tuple[str, ...]:
    """`-T ps_6_0 -E main`, where the block says nothing else."""
    given = list(arguments)
    if "-T" not in given:
        given += ["-T", "ps_6_0"]
    if "-E" not in given and not given[given.index("-T") + 1].startswith("lib"):
        given += ["-E", "main"]
    return tuple(given)
