"""Messages as they come in: every request is answered, also one that is none, comes too early or too late."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from bindlint.lsp.server import BindlintServer


class _Unreadable(msgspec.Struct, frozen=True):
    """A message that means nothing; `id` None: it asks for no answer, or it is not known which."""

    id: Any
    error: JsonRpcException


class Protocol(LanguageServerProtocol):
    """Keeps no texts of its own, and counts in UTF-16 with every editor."""

    _server: BindlintServer

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcInvalidParams as error:
            return _Unreadable(data.get("id"), error)
        except JsonRpcException:
            return _Unreadable(data.get("id"), JsonRpcInvalidRequest())

    def handle_message(self, message: Any) -> None:
        if isinstance(message, _Unreadable):
            if message.id is not None:
                self._refuse(message.id, message.error)
            return
        method = getattr(message, "method", None)
        if getattr(message, "jsonrpc", None) != self.VERSION or not isinstance(method, str | None):
            named = message.get("id") if isinstance(message, dict) else getattr(message, "id", None)
            self._refuse(named, JsonRpcInvalidRequest())
            return
        fault = self._fault_of_time(method) if method is not None else None
        if fault is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._refuse(message.id, fault)

    def _fault_of_time(self, method: str) -> JsonRpcException | None:
        """Why a message comes too early or too late."""
        if method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shut down")
        if not self._server.is_initialized:
            return None if method == types.INITIALIZE else JsonRpcServerNotInitialized("the server is not initialized")
        return JsonRpcInvalidRequest("the server is initialized already") if method == types.INITIALIZE else None

    def refuse_body(self) -> None:
        """Answer a body that is no JSON."""
        self._refuse(None, JsonRpcParseError())

    def _refuse(self, message_id: Any, error: JsonRpcException) -> None:
        # Not by way of `_send_response`, which leaves out an `id` of null.
        fault = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": message_id, "error": fault})

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        self._server.status = 0 if self._shutdown else 1
        yield from super().lsp_exit(*args)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
