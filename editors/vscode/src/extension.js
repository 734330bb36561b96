"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");
const { serverSettings, statusText } = require("./settings");

const SOURCE = "pto-fix";
const FIX_ALL = "source.fixAll.pto-fix";
const FIX_ALL_UNSAFE = "source.fixAllUnsafe.pto-fix";

/** @type {LanguageClient | undefined} */
let client;
/** @type {vscode.StatusBarItem} */
let status;

function settings() {
  const configuration = vscode.workspace.getConfiguration("pto-fix");
  return serverSettings((key) => configuration.get(key), vscode.env.language);
}

function findings() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return 0;
  return vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === SOURCE).length;
}

function showStatus() {
  const python = vscode.window.activeTextEditor?.document.languageId === "python";
  const states = { [State.Starting]: "starting", [State.Running]: "running", [State.Stopped]: "stopped" };
  status.text = statusText(client ? states[client.state] : "stopped", findings());
  if (python) status.show();
  else status.hide();
}

async function start() {
  const path = vscode.workspace.getConfiguration("pto-fix").get("path") || "pto-fix";
  const server = { command: path, args: ["lsp"] };
  client = new LanguageClient("pto-fix", "pto-fix", server, {
    documentSelector: [{ language: "python" }],
    initializationOptions: settings(),
    middleware: {
      workspace: {
        // The server asks for the section; it is given what the language of the editor makes of it.
        configuration: (params) => params.items.map(() => settings()),
      },
    },
  });
  client.onDidChangeState(showStatus);
  try {
    await client.start();
  } catch (failure) {
    const pick = await vscode.window.showErrorMessage(
      `pto-fix: "${path} lsp" does not start (${failure}). Set pto-fix.path. 无法启动，请设置 pto-fix.path。`, "Settings");
    if (pick) await vscode.commands.executeCommand("workbench.action.openSettings", "pto-fix.path");
  }
  showStatus();
}

/** Applies the server's action of that kind to the file that is shown. */
async function fixThisFile(kind) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const document = editor.document;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await vscode.commands.executeCommand(
    "vscode.executeCodeActionProvider", document.uri, whole, kind, 1);
  const action = actions.find((a) => a.kind?.value === kind);
  if (!action?.edit) {
    vscode.window.setStatusBarMessage("pto-fix: nothing to fix 没有可应用的修复", 3000);
    return;
  }
  await vscode.workspace.applyEdit(action.edit);
}

/** Opens Markdown beside the editor, as a preview. */
async function showMarkdown(text) {
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.commands.executeCommand("markdown.showPreviewToSide", document.uri);
}

function request(command, ...parameters) {
  return client?.sendRequest("workspace/executeCommand", { command, arguments: parameters });
}

async function explainRule() {
  const here = vscode.window.activeTextEditor?.selection.active;
  const document = vscode.window.activeTextEditor?.document;
  const near = document && here
    ? vscode.languages.getDiagnostics(document.uri).find((d) => d.source === SOURCE && d.range.contains(here))
    : undefined;
  const code = typeof near?.code === "object" ? near.code.value : near?.code;
  const rule = await vscode.window.showInputBox({ prompt: "PTO201", value: code ? String(code) : "" });
  if (!rule) return;
  try {
    await showMarkdown(await request("pto-fix.explain", rule.trim()));
  } catch (failure) {
    vscode.window.showErrorMessage(`pto-fix: ${failure}`);
  }
}

async function showBudget(uri) {
  const shown = uri ?? vscode.window.activeTextEditor?.document.uri.toString();
  if (shown) await showMarkdown(await request("pto-fix.budget", shown));
}

async function activate(context) {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 10);
  status.command = "workbench.actions.view.problems";
  const commands = {
    "pto-fix.fixThisFile": () => fixThisFile(FIX_ALL),
    "pto-fix.fixThisFileUnsafe": () => fixThisFile(FIX_ALL_UNSAFE),
    // The server sends an edit that asks to be confirmed: the editor shows it as a preview.
    "pto-fix.previewWorkspace": () => request("pto-fix.fixWorkspace"),
    "pto-fix.explainRule": explainRule,
    "pto-fix.showBudget": showBudget,
    "pto-fix.restart": async () => {
      await client?.stop();
      await start();
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(
    status,
    vscode.window.onDidChangeActiveTextEditor(showStatus),
    vscode.languages.onDidChangeDiagnostics(showStatus),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("pto-fix.path")) {
        await client?.stop();
        await start();
      } else if (event.affectsConfiguration("pto-fix")) {
        await client?.sendNotification("workspace/didChangeConfiguration", { settings: { "pto-fix": settings() } });
      }
    }));
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
