"""Files that change outside the editor: shaders, headers, host code and configurations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lsprotocol import types

from bindlint.config import CONFIG_NAME
from bindlint.lsp.builds import COMMANDS_NAME, SUFFIXES
from bindlint.lsp.convert import path_of
from bindlint.paths import HOST_SUFFIXES, SHADER_SUFFIXES
from bindlint.shadertools import SHADERTOOLS_NAME

if TYPE_CHECKING:
    from bindlint.lsp.server import BindlintServer

_SETTINGS = (CONFIG_NAME, SHADERTOOLS_NAME)


def register(server: BindlintServer) -> None:
    """Ask the editor to watch, where it can, and take what it tells."""

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            endings = ",".join(sorted(ending[1:] for ending in SHADER_SUFFIXES | HOST_SUFFIXES))
            builds = (f"**/{COMMANDS_NAME}", *(f"**/*{ending}" for ending in (*SUFFIXES, ".props")))
            globs = (*(f"**/{name}" for name in _SETTINGS), f"**/*.{{{endings}}}", *builds)
            watchers = [types.FileSystemWatcher(glob) for glob in globs]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            params = types.RegistrationParams([types.Registration("bindlint-files", method, options)])
            server.client_register_capability(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: types.DidChangeWatchedFilesParams) -> None:
        paths: list[str] = []
        everywhere = configured = False
        for event in params.changes:
            path = path_of(event.uri)
            if os.path.basename(path) in _SETTINGS:
                configured = True
            elif event.type != types.FileChangeType.Changed:
                everywhere = True
                paths.append(path)
            elif path not in server.documents:
                paths.append(path)
        if configured or paths:
            server.files_changed(paths, everywhere, configured)
