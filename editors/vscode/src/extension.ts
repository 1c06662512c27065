// The extension for VS Code: starts the language server that is bundled with it, for JSON and XML.
import { join } from 'node:path';
import { type ExtensionContext, workspace } from 'vscode';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';

const SECTION = 'epcisEdge';
/** The documents that the server gets: those of files, and new ones; not the old sides of comparisons. */
const DOCUMENTS = ['json', 'jsonl', 'xml'].flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme })));

let client: LanguageClient | undefined;

/** Sends the settings. The server shows what is wrong with them. */
function configure(client: LanguageClient): Promise<void> {
  const packs = workspace.getConfiguration(SECTION).get('packs');
  return client.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: { packs } } });
}

export async function activate(context: ExtensionContext): Promise<void> {
  const run = { module: join(context.extensionPath, 'dist', 'server.mjs'), transport: TransportKind.stdio };
  const begun = new LanguageClient(SECTION, 'EPCIS', { run, debug: run }, { documentSelector: DOCUMENTS, outputChannelName: 'EPCIS' });
  client = begun;
  context.subscriptions.push(
    // A server that is started again has its settings to get again.
    begun.onDidChangeState(({ newState }) => newState === State.Running && configure(begun)),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && begun.isRunning() && configure(begun)),
  );
  await begun.start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();
