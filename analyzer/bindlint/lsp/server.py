"""The server: documents as the editor changes them, analyses one after the other, answers from the newest."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import msgspec
from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer

from bindlint.config import load_config
from bindlint.errors import BindlintError, UsageError
from bindlint.lsp import features, watch
from bindlint.lsp.background import Background
from bindlint.lsp.builds import named_manifests
from bindlint.lsp.convert import path_of
from bindlint.lsp.diagnostics import diagnostics
from bindlint.lsp.documents import Documents, opened
from bindlint.lsp.joint import Joint, is_host
from bindlint.lsp.protocol import Protocol
from bindlint.lsp.session import Session, State
from bindlint.lsp.settings import Settings
from bindlint.paths import near_file
from bindlint.plugins import load_rules

Answer = TypeVar("Answer")
LOOPBACK = "127.0.0.1"
_PATIENCE = 0.3
"""Seconds that a request waits for an analysis that changes nothing about its file."""


class BindlintServer(LanguageServer):
    """Holds the newest documents and the state that belongs to them, or to the last that were analysed.

    `status` is that with which the process ends.
    """

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("bindlint", version("bindlint"), protocol_cls=Protocol)
        self.settings = Settings()
        self.status = 0
        self.documents: Documents = {}
        self.state = State()
        self._base = self.state
        self._joint: Joint | None = None
        self._background: Background | None = None
        self._session: Session | None = None
        self._thread = ThreadPoolExecutor(1, "bindlint")
        self._wanted = 0
        self._done = 0
        self._files_wanted = 0
        self._files_done = 0
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}

    def configure(self, options: Any, folders: list[str]) -> None:
        """Take the editor's settings and folders; settings that are none are told and left out."""
        try:
            self.settings = msgspec.convert(options or {}, Settings)
            if self.settings.configuration:
                load_config(Path(self.settings.configuration))
            for path in named_manifests(folders, self.settings.manifests or ()):
                if not os.path.isfile(path):
                    raise UsageError(f"there is no manifest `{path}`{near_file(path)}")
        except (msgspec.ValidationError, BindlintError) as error:
            message = f"bindlint: initializationOptions: {error}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        self._session = Session(folders, load_rules(), self.settings)
        self._background = Background(folders, self.settings, lambda: self.documents, self._take, self._log)

    @property
    def is_initialized(self) -> bool:
        """Whether the editor has said hello."""
        return self._session is not None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Keep faults of messages from the user's eyes: who sent them is answered, and the log has them."""
        if isinstance(error, (ValueError, RecursionError)):
            self.protocol.refuse_body()
        self._log(f"a message could not be handled: {type(error).__name__}: {error}")

    def _log(self, message: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"bindlint: {message}"))

    def shutdown(self) -> None:
        if self._background is not None:
            self._background.stop()
        super().shutdown()  # type: ignore[no-untyped-call]

    def run_first(self, task: Callable[[Session], None]) -> None:
        """Have something done with the session before the next analysis."""
        if self._session is not None:
            self._thread.submit(task, self._session)

    async def ask(self, question: Callable[[Session, State], Answer], path: str) -> Answer:
        """Have something found out with the session and the newest state, about the file at `path`."""
        state = await self.newest(path)
        if self._session is None:
            raise RuntimeError("the server is not initialized")
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, self._session, state)

    def files_changed(self, paths: list[str], everywhere: bool, configured: bool) -> None:
        """Files have changed outside the editor; `everywhere`: some have come or gone; `configured`: settings have."""
        if configured:
            self.run_first(lambda session: session.configured_anew())
        if paths:
            self.run_first(lambda session: session.files_changed(paths, everywhere))
        if self._background is not None:
            self._background.changed(paths, everywhere, configured)
        self._files_wanted += 1
        self.changed(wait=False)

    def changed(self, wait: bool = True) -> None:
        """Something is not as it was when the last analysis began. After a pause, if `wait`, begin another."""
        self._wanted += 1
        if self._background is not None:
            self._background.changed()
        self._stop_waiting()
        if wait and self.settings.debounce:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self.settings.debounce / 1000, self._begin)
        else:
            self._begin()

    async def newest(self, path: str = "") -> State:
        """The state of the documents as they are now, analysed at once where it has not been.

        What takes long is not waited for where the state of before holds for the file at `path`. Of host code it is
        waited for until that is joined.
        """
        document = self.documents.get(path)
        if document is not None and is_host(document) and self._background is not None:
            await self._background.newest()
        while self._done != self._wanted:
            self._stop_waiting()
            self._begin()
            if self._task is not None:
                await asyncio.wait((self._task,), timeout=_PATIENCE)
                if self._holds(path) if not self._task.done() else _fault(self._task) is not None:
                    break
        return self.state

    def _holds(self, path: str) -> bool:
        """Whether nothing that a file was read with has changed since."""
        before, now = self.state.documents, self.documents
        changed = {each for each in (*before, *now) if before.get(each) is not now.get(each)}
        read_with = (read.files for read in self.state.reads if path in read.files)
        return self._files_done == self._files_wanted and path not in changed and changed.isdisjoint(*read_with)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._timer = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._analyse())
            self._task.add_done_callback(self._tell_fault)

    def _tell_fault(self, task: asyncio.Task[None]) -> None:
        fault = _fault(task)
        if fault is not None:
            logging.getLogger("bindlint").error("analysis", exc_info=fault)
            message = f"bindlint: internal error: {type(fault).__name__}: {fault}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    async def _analyse(self) -> None:
        session = self._session
        while session is not None and self._done != self._wanted and self._timer is None:
            wanted, documents, files = self._wanted, dict(self.documents), self._files_wanted
            loop = asyncio.get_running_loop()
            state = await loop.run_in_executor(
                self._thread, session.analyse, documents, lambda wanted=wanted: self._wanted == wanted
            )
            if state is not None and self._wanted == wanted:
                self._base, self._done, self._files_done = state, wanted, files
                self.state = state.with_joint(self._joint)
                self._publish(self.state)

    def _take(self, joint: Joint | None) -> None:
        """What host code comes to has been found out."""
        self._joint = joint
        if self._done == self._wanted:
            self.state = self._base.with_joint(joint)
            self._publish(self.state)

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for the diagnostics of open documents itself."""
        document = self.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def _waits_for(self, path: str, state: State) -> bool:
        """Whether what is to be said of host code is not known yet; until it is, the editor keeps what it has."""
        is_joined = state.joint is not None and state.joint.is_of(path, state.documents)
        return not is_joined and self._background is not None and self._background.waits(self.documents)

    def _publish(self, state: State) -> None:
        """Push what has changed; of open documents also what has not, under the new version."""
        paths = dict.fromkeys((*state.documents, *state.seen, *state.faults, *self._published))
        refresh = False
        for path in paths:
            document = state.documents.get(path)
            if document is not None and is_host(document) and self._waits_for(path, state):
                continue
            number = document.version if document else None
            found = diagnostics(state, path)
            before = self._published.get(path, (None, []))
            if before == (number, found):
                continue
            if found or document:
                self._published[path] = number, found
            else:
                self._published.pop(path, None)
            if document is None or not self.pulls:
                params = types.PublishDiagnosticsParams(state.uri(path), found, number)
                self.text_document_publish_diagnostics(params)
            elif before[0] == number:
                refresh = True  # another file's edit changed this one's findings, of which its editor knows nothing
        workspace = self.client_capabilities.workspace
        if refresh and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)


async def serve(server: BindlintServer, port: int, say: Callable[[str], None]) -> None:
    """Listen on a port of this machine (0: a free one, which `say` is told) for one editor, and end with it."""
    stop, ended = Event(), asyncio.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if server.protocol.writer is not None:
            writer.close()
            return
        server.protocol.set_writer(writer)
        try:
            await run_async(stop, reader, server.protocol, error_handler=server.report_server_error)
        finally:
            ended.set()

    listening = await asyncio.start_server(connected, LOOPBACK, port)
    host, number = listening.sockets[0].getsockname()
    say(f"bindlint: listening on {host}:{number}")
    async with listening:
        await ended.wait()
    server.shutdown()


def _fault(task: asyncio.Task[None]) -> BaseException | None:
    """What an analysis that is over ended with, where that is no result."""
    return None if task.cancelled() else task.exception()


def create() -> BindlintServer:
    """A server with all its features."""
    server = BindlintServer()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [path_of(params.root_uri)]
        server.configure(params.initialization_options, folders)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = opened(params.text_document)
        server.documents[document.path] = document
        server.changed(wait=False)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = server.documents.get(path_of(params.text_document.uri))
        if document is not None:
            server.documents[document.path] = document.changed(params.text_document.version, params.content_changes)
            server.changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        if server.documents.pop(path_of(params.text_document.uri), None) is not None:
            server.changed()

    watch.register(server)
    features.register(server)
    return server
