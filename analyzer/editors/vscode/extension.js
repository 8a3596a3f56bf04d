// Starts `bindlint server` and hands it the documents; everything else is in the server.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("bindlint");
  const [command, ...args] = settings.get("command");
  client = new LanguageClient(
    "bindlint",
    "bindlint",
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: [
        { scheme: "file", language: "hlsl" },
        { scheme: "untitled", language: "hlsl" },
      ],
      initializationOptions: {
        debounce: settings.get("debounce"),
        headerShaders: settings.get("headerShaders"),
        configuration: settings.get("configuration"),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const hint = "pip install 'bindlint[lsp]' brings it; the setting bindlint.command names another place.";
    vscode.window.showErrorMessage(`bindlint: \`${command}\` could not be started: ${error.message}. ${hint}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop().catch(() => undefined);
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("bindlint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("bindlint") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
