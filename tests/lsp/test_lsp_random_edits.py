"""After any edits the server says what a fresh `check` says of the same texts. BINDLINT_EDITS=2000 makes more."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import msgspec
import pytest
from bindlint.lsp.convert import Text
from bindlint.lsp.documents import Document
from bindlint.lsp.joiner import Joiner, Task
from bindlint.lsp.session import Session, State
from bindlint.lsp.settings import Settings
from bindlint.plugins import load_rules
from edits import HOST_SNIPPETS, PROJECT, Said, all_said_by_check, random_change, said_by_check, units_of
from host import SKY_CPP, SKY_H, SKY_HLSL
from lsp_editor import Editor

EDITS = int(os.environ.get("BINDLINT_EDITS", "150"))
PROTOCOL_EDITS = int(os.environ.get("BINDLINT_PROTOCOL_EDITS", "25"))


def said_by_server(folder: Path, state: State) -> set[tuple[str, Said]]:
    found = set()
    for path, seen in state.seen.items():
        name = path.removeprefix(f"{folder}/")
        for each in seen:
            v = each.finding.violation
            place = (v.span.line, v.span.column, v.span.end_line, v.span.end_column)
            message = v.message.replace(f"{folder}/", "")
            found.add((name, (each.finding.code, each.finding.severity, message, name, *place)))
    return found


def test_after_random_edits_nothing_is_stale(tmp_path: Path) -> None:
    chance = random.Random(20)
    here, there = tmp_path / "editor", tmp_path / "disk"
    for folder in (here, there):
        (folder / ".git").mkdir(parents=True)
    for name, text in PROJECT.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(text.encode())
    session = Session([str(here)], load_rules())
    documents: dict[str, Document] = {}
    texts = dict(PROJECT)
    met: set[str] = set()
    for number in range(EDITS):
        name = chance.choice([*PROJECT])
        path = str(here / name)
        action = chance.random()
        if path not in documents:
            documents[path] = Document(f"file://{path}", path, number, Text(texts[name]))
        elif action < 0.06:
            del documents[path]
            texts[name] = PROJECT[name]
        elif action < 0.1:
            texts[name] = PROJECT[name]
            documents[path] = Document(f"file://{path}", path, number, Text(texts[name]))
        for _ in range(chance.randint(1, 3) if path in documents else 0):
            change, texts[name] = random_change(texts[name], chance)
            documents[path] = documents[path].changed(number, [change])
            assert documents[path].text.text == texts[name]
        state = session.analyse(documents)
        assert state is not None
        roots = sorted({read.file.removeprefix(f"{here}/") for read in state.reads})
        opened = {path.removeprefix(f"{here}/") for path in documents}
        expected = said_by_check(there, texts, roots, opened) if roots else set()
        assert said_by_server(here, state) == expected, f"edit {number} of {name}"
        met.update(code for _, (code, *_) in expected)
    assert len(met) > 9, "the edits bring about findings of many kinds"


HOSTS = {"Sky.cpp": SKY_CPP, "Sky.h": SKY_H, "Sky.hlsl": SKY_HLSL, "plain.hlsl": PROJECT["shared/unused.hlsli"]}


def test_after_random_edits_of_host_code_nothing_is_stale(tmp_path: Path) -> None:
    chance = random.Random(3)
    here, there = tmp_path / "editor", tmp_path / "disk"
    for folder in (here, there):
        (folder / ".git").mkdir(parents=True)
    for name, text in HOSTS.items():
        (here / name).write_bytes(text.encode())
    session = Session([str(here)], load_rules())
    joiner = Joiner([str(here)], load_rules(), Settings())
    documents: dict[str, Document] = {}
    texts = dict(HOSTS)
    met: set[str] = set()
    for number in range(EDITS // 2):
        name = chance.choice([*HOSTS])
        path = str(here / name)
        before = dict(documents)
        if path not in documents or chance.random() < 0.15:
            texts[name] = HOSTS[name]
            documents[path] = Document(f"file://{path}", path, number, Text(texts[name]))
        if chance.random() < 0.05:
            del documents[path]
            texts[name] = HOSTS[name]
        for _ in range(chance.randint(1, 2) if path in documents else 0):
            snippets = {} if name.endswith(".hlsl") else {"snippets": HOST_SNIPPETS}
            change, texts[name] = random_change(texts[name], chance, **snippets)
            documents[path] = documents[path].changed(number, [change])
        changed = [each for each in {**before, **documents} if before.get(each) is not documents.get(each)]
        buffers = {each: documents[each].text.data if each in documents else None for each in changed}
        hosts = tuple(each for each in documents if not each.endswith(".hlsl"))
        joiner.take(task := Task(number, buffers=buffers, opened=tuple(documents), hosts=hosts))
        joint = joiner.join(task)
        state = session.analyse(documents)
        assert joint is not None and state is not None
        state = state.with_joint(msgspec.structs.replace(joint, documents=dict(documents)))
        opened = {path.removeprefix(f"{here}/") for path in documents}
        expected = all_said_by_check(there, texts, opened)
        assert {each for each in said_by_server(here, state) if each[0] in opened} == expected, f"edit {number}"
        met.update(code for _, (code, *_) in expected)
    assert len(met) > 7, "the edits bring about findings of many kinds"


@pytest.mark.asyncio
async def test_after_random_edits_over_the_protocol(editor: Editor, tmp_path: Path) -> None:
    """The same through a server of its own, with places as the protocol has them."""
    chance = random.Random(6)
    there = tmp_path / "disk"
    (there / ".git").mkdir(parents=True)
    await editor.start(pull=True)
    texts = dict(PROJECT)
    for name, text in PROJECT.items():
        editor.open(name, text)
    for number in range(PROTOCOL_EDITS):
        name = chance.choice([*PROJECT])
        if chance.random() < 0.1:
            editor.edit(name, PROJECT[name])
            texts[name] = PROJECT[name]
        changes = []
        for _ in range(chance.randint(1, 3)):
            change, texts[name] = random_change(texts[name], chance)
            changes.append(change)
        editor.change(name, changes)
        # Which shaders these are is what a server that has just been started would say.
        documents = {f"{editor.folder}/{n}": Document(n, f"{editor.folder}/{n}", 1, Text(t)) for n, t in texts.items()}
        fresh = Session([str(editor.folder)], load_rules()).analyse(documents)
        assert fresh is not None
        roots = [read.file.removeprefix(f"{editor.folder}/") for read in fresh.reads]
        expected = {
            (file, code, severity, message, *units_of(texts[file], line, column))
            for file, (code, severity, message, _, line, column, *_) in said_by_check(there, texts, roots, PROJECT)
        }
        found = set()
        for file in PROJECT:
            for each in await editor.pull(file):
                message = re.sub(r" \(seen from \d+ shaders\)$", "", each.message.replace(f"{editor.folder}/", ""))
                severity = {1: "error", 2: "warning", 3: "info"}[int(each.severity or 0)]
                found.add((file, str(each.code), severity, message, each.range.start.line, each.range.start.character))
        assert found == expected, f"edit {number} of {name}"
