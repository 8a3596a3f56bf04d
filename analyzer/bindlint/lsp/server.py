"""The server: documents as the editor changes them, analyses one after the other, answers from the newest."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from threading import Event
from typing import Any, TypeVar

import msgspec
from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from bindlint.lsp import features, watch
from bindlint.lsp.convert import path_of
from bindlint.lsp.diagnostics import diagnostics
from bindlint.lsp.documents import Documents, opened
from bindlint.lsp.session import Session, Settings, State
from bindlint.plugins import load_rules

Answer = TypeVar("Answer")
LOOPBACK = "127.0.0.1"


class _Protocol(LanguageServerProtocol):
    """Keeps no texts of its own, and counts in UTF-16 with every editor."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class BindlintServer(LanguageServer):
    """Holds the newest documents and the state that belongs to them, or to the last that were analysed."""

    def __init__(self) -> None:
        super().__init__("bindlint", version("bindlint"), protocol_cls=_Protocol)
        self.settings = Settings()
        self.documents: Documents = {}
        self.state = State()
        self._session: Session | None = None
        self._thread = ThreadPoolExecutor(1, "bindlint")
        self._wanted = 0
        self._done = 0
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}

    def configure(self, options: Any, folders: list[str]) -> None:
        """Take the editor's settings and folders; settings that are none are told and left out."""
        try:
            self.settings = msgspec.convert(options or {}, Settings)
        except msgspec.ValidationError as error:
            message = f"bindlint: initializationOptions: {error}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        self._session = Session(folders, load_rules(), self.settings)

    def run_first(self, task: Callable[[Session], None]) -> None:
        """Have something done with the session before the next analysis."""
        if self._session is not None:
            self._thread.submit(task, self._session)

    async def ask(self, question: Callable[[Session, State], Answer]) -> Answer:
        """Have something found out with the session and the newest state."""
        state = await self.newest()
        if self._session is None:
            raise RuntimeError("the server is not initialized")
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, self._session, state)

    def changed(self, wait: bool = True) -> None:
        """Something is not as it was when the last analysis began. After a pause, if `wait`, begin another."""
        self._wanted += 1
        self._stop_waiting()
        if wait and self.settings.debounce:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self.settings.debounce / 1000, self._begin)
        else:
            self._begin()

    async def newest(self) -> State:
        """The state of the documents as they are now, analysed at once where it has not been."""
        while self._done != self._wanted:
            self._stop_waiting()
            self._begin()
            if self._task is not None:
                await asyncio.shield(self._task)
        return self.state

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
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            logging.getLogger("bindlint").error("analysis", exc_info=fault)
            message = f"bindlint: internal error: {type(fault).__name__}: {fault}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    async def _analyse(self) -> None:
        session = self._session
        while session is not None and self._done != self._wanted and self._timer is None:
            wanted, documents = self._wanted, dict(self.documents)
            loop = asyncio.get_running_loop()
            state = await loop.run_in_executor(
                self._thread, session.analyse, documents, lambda wanted=wanted: self._wanted == wanted
            )
            if state is not None and self._wanted == wanted:
                self.state, self._done = state, wanted
                self._publish(state)

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for the diagnostics of open documents itself."""
        document = self.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def _publish(self, state: State) -> None:
        """Push what has changed; of open documents also what has not, under the new version."""
        paths = dict.fromkeys((*state.documents, *state.seen, *state.faults, *self._published))
        refresh = False
        for path in paths:
            document = state.documents.get(path)
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
