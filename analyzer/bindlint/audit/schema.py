"""The tables of the results of an audit, and whether a file holds them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

from bindlint.project.counts import Counts

APPLICATION = 0x424C4155
SCHEMA_VERSION = 2

COUNTED = tuple(field for field in Counts.__struct_fields__ if field != "unknown")
"""What is counted of a program, each a column."""

SCHEMA = """
CREATE TABLE run(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE repositories(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', files INTEGER NOT NULL DEFAULT 0,
    headers INTEGER NOT NULL DEFAULT 0, hosts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE notes(
    repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, subject TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE units(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, key BLOB NOT NULL UNIQUE, run INTEGER NOT NULL, closure BLOB NOT NULL, files TEXT NOT NULL,
    file TEXT NOT NULL, source TEXT NOT NULL, entry TEXT NOT NULL, profile TEXT, defines TEXT NOT NULL,
    include_dirs TEXT NOT NULL, status TEXT NOT NULL, why TEXT NOT NULL, milliseconds INTEGER NOT NULL,
    suppressed INTEGER NOT NULL);
CREATE TABLE shaders(
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE,
    repository INTEGER NOT NULL, file TEXT NOT NULL, entry TEXT NOT NULL, profile TEXT, inferred TEXT NOT NULL,
    status TEXT NOT NULL, bindings TEXT NOT NULL, root_signature TEXT);
CREATE TABLE findings(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    code TEXT NOT NULL, name TEXT NOT NULL, severity TEXT NOT NULL, certainty TEXT NOT NULL, message TEXT NOT NULL,
    file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL, end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL, related TEXT NOT NULL, fingerprint TEXT NOT NULL,
    UNIQUE(repository, code, file, line, "column", message));
CREATE TABLE finding_shaders(
    finding INTEGER NOT NULL REFERENCES findings(id) ON DELETE CASCADE,
    shader INTEGER NOT NULL REFERENCES shaders(id) ON DELETE CASCADE, PRIMARY KEY(finding, shader)) WITHOUT ROWID;
CREATE TABLE finding_units(
    finding INTEGER NOT NULL REFERENCES findings(id) ON DELETE CASCADE,
    unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE, PRIMARY KEY(finding, unit)) WITHOUT ROWID;
CREATE TABLE programs(
    unit INTEGER PRIMARY KEY REFERENCES units(id) ON DELETE CASCADE, hosts INTEGER NOT NULL, {counts});
CREATE TABLE unfollowed(
    unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE, reason TEXT NOT NULL, count INTEGER NOT NULL);
CREATE TABLE root_signatures(
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE, repository INTEGER NOT NULL,
    name TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
    embedded INTEGER NOT NULL, conditions TEXT NOT NULL, complete INTEGER NOT NULL, cost INTEGER,
    least_cost INTEGER NOT NULL, tier INTEGER, feature_level TEXT NOT NULL, document TEXT NOT NULL);
CREATE TABLE pipelines(
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units(id) ON DELETE CASCADE, repository INTEGER NOT NULL,
    name TEXT NOT NULL, bind_point TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
    root_signature INTEGER REFERENCES root_signatures(id), why TEXT NOT NULL);
CREATE TABLE pipeline_stages(
    pipeline INTEGER NOT NULL REFERENCES pipelines(id) ON DELETE CASCADE, stage TEXT NOT NULL, name TEXT NOT NULL,
    file TEXT NOT NULL, entry TEXT NOT NULL, why TEXT NOT NULL);
CREATE TABLE problems(
    id INTEGER PRIMARY KEY, repository INTEGER NOT NULL REFERENCES repositories(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, message TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
    partial INTEGER NOT NULL, UNIQUE(repository, kind, file, line, "column", message));
CREATE TABLE problem_shaders(
    problem INTEGER NOT NULL REFERENCES problems(id) ON DELETE CASCADE,
    shader INTEGER NOT NULL REFERENCES shaders(id) ON DELETE CASCADE, PRIMARY KEY(problem, shader)) WITHOUT ROWID;
CREATE INDEX shaders_of_units ON shaders(unit);
CREATE INDEX findings_of_units ON finding_units(unit);
CREATE INDEX reasons_of_units ON unfollowed(unit);
CREATE INDEX signatures_of_units ON root_signatures(unit);
CREATE INDEX pipelines_of_units ON pipelines(unit);
CREATE INDEX pipelines_of_signatures ON pipelines(root_signature);
CREATE INDEX stages_of_pipelines ON pipeline_stages(pipeline);
CREATE INDEX stages_of_files ON pipeline_stages(file);
CREATE INDEX findings_of_shaders ON finding_shaders(shader);
CREATE INDEX problems_of_shaders ON problem_shaders(shader);
""".format(counts=", ".join(f"{field} INTEGER NOT NULL" for field in COUNTED))

Fault = Literal["", "not ours", "newer", "older", "corrupt"]


def fault_of(place: Path) -> Fault:
    """Why a file cannot be gone on with, "" where it can."""
    try:
        with place.open("rb") as stream:
            beginning = stream.read(72)
        if not beginning.startswith(b"SQLite format 3\0"):
            return "not ours"
        if int.from_bytes(beginning[68:72], "big") != APPLICATION:
            return "not ours"
        database = sqlite3.connect(place)
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            sound = database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
        finally:
            database.close()
    except sqlite3.DatabaseError:
        return "corrupt"
    if version != SCHEMA_VERSION:
        return "newer" if version > SCHEMA_VERSION else "older"
    return "" if sound else "corrupt"
