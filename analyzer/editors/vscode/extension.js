// Starts `bindlint server` and hands it the documents; everything else is in the server.
"use strict";

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { CloseAction, LanguageClient } = require("vscode-languageclient/node");

const INSTALL = "`pip install 'bindlint[lsp]'` brings the server; the setting bindlint.command names another place.";
const LANGUAGES = ["hlsl", "cpp", "c"];

/** A client that leaves it to `start` to tell, once, why there is no server. */
class Client extends LanguageClient {
  ready = false;

  error(message, data, show) {
    super.error(message, data, this.ready && show);
  }
}

let client;
let server;
let turn = Promise.resolve();

/** The server's process once it runs; rejects where it cannot be had. */
function launch([command, ...args], hear) {
  return new Promise((resolve, reject) => {
    server = spawn(command, args);
    server.stderr.on("data", (text) => hear(String(text)));
    server.once("spawn", () => resolve(server));
    server.once("error", reject);
  });
}

async function start(context, outputChannel) {
  const settings = vscode.workspace.getConfiguration("bindlint");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const command = settings.get("command").map((word) => word.replaceAll("${workspaceFolder}", folder));
  const names = Object.keys(context.extension.packageJSON.contributes.configuration.properties);
  const options = names.map((name) => name.slice("bindlint.".length)).filter((name) => name !== "command");
  let said = "";
  const hear = (text) => { said = (said + text).slice(-4096); };
  const starting = new Client("bindlint", "bindlint", () => launch(command, hear), {
    outputChannel,
    documentSelector: LANGUAGES.flatMap((language) => [{ scheme: "file", language }, { scheme: "untitled", language }]),
    initializationOptions: Object.fromEntries(options.map((name) => [name, settings.get(name)])),
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...happened) => usual.error(...happened),
      closed: () => (starting.ready ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    },
  });
  const usual = starting.createDefaultErrorHandler();
  client = starting;
  // Where the server ends before it answers, `start` comes back as if all were well.
  const failure = await starting.start().then(() => "it ended at once", (error) => error.message ?? error);
  starting.ready = starting.isRunning();
  if (starting.ready) return;
  const why = said.trim().split("\n").at(-1).replace(/^Error: /, "") || `${failure}. ${INSTALL}`;
  const told = `\`${command.join(" ")}\` could not be started: ${why}`;
  vscode.window.showErrorMessage(told, "Open Settings").then((chosen) => {
    if (chosen) vscode.commands.executeCommand("workbench.action.openSettings", "bindlint.command");
  });
}

async function stop() {
  await client?.stop().catch(() => undefined);
  server?.kill();
}

async function activate(context) {
  const outputChannel = vscode.window.createOutputChannel("bindlint");
  const restart = () => (turn = turn.then(stop).then(() => start(context, outputChannel)));
  context.subscriptions.push(
    outputChannel,
    vscode.commands.registerCommand("bindlint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("bindlint") && restart()),
  );
  await restart();
}

module.exports = { activate, deactivate: stop };
