// The extension for VS Code: starts the language server that is bundled with it, for JSON and XML.
import { join } from 'node:path';
import { window, workspace } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

const SECTION = 'epcisEdge';
/** The documents that the server gets: those of files, and new ones; not the old sides of comparisons. */
const DOCUMENTS = ['json', 'jsonl', 'xml'].flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme })));

let client;

/** The settings as the server takes them. */
const settings = () => ({ [SECTION]: { packs: workspace.getConfiguration(SECTION).get('packs') } });

async function start(context) {
  const run = { module: join(context.extensionPath, 'dist', 'server.mjs'), transport: TransportKind.stdio };
  client = new LanguageClient(
    SECTION,
    'EPCIS',
    { run, debug: run },
    { documentSelector: DOCUMENTS, initializationOptions: settings, outputChannelName: 'EPCIS' },
  );
  try {
    await client.start();
  } catch (error) {
    // A server that refuses its settings has ended. It is started again when they change.
    client = undefined;
    window.showErrorMessage(`EPCIS: ${error.message}`);
  }
}

export async function activate(context) {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration(SECTION)) return;
      if (client === undefined) await start(context);
      else await client.sendNotification('workspace/didChangeConfiguration', { settings: settings() });
    }),
  );
  await start(context);
}

export const deactivate = () => client?.stop();
