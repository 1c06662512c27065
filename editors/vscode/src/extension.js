// The extension for VS Code: starts the language server that is bundled with it, for JSON and XML.
import { join } from 'node:path';
import { workspace } from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';

const SECTION = 'epcisEdge';
/** The documents that the server gets: those of files, and new ones; not the old sides of comparisons. */
const DOCUMENTS = ['json', 'jsonl', 'xml'].flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme })));

let client;

/** Sends the settings. The server shows what is wrong with them. */
function configure() {
  const packs = workspace.getConfiguration(SECTION).get('packs');
  return client.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: { packs } } });
}

export async function activate(context) {
  const run = { module: join(context.extensionPath, 'dist', 'server.mjs'), transport: TransportKind.stdio };
  client = new LanguageClient(SECTION, 'EPCIS', { run, debug: run }, { documentSelector: DOCUMENTS, outputChannelName: 'EPCIS' });
  context.subscriptions.push(
    // A server that is started again has its settings to get again.
    client.onDidChangeState(({ newState }) => newState === State.Running && configure()),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && client.isRunning() && configure()),
  );
  await client.start();
}

export const deactivate = () => client?.stop();
