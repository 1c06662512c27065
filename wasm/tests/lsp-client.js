// A plain client of the language server, over the standard streams of its process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const cli = fileURLToPath(new URL('../js/cli/cli.ts', import.meta.url));

/** What a client of today can do. */
export const CAPABILITIES = {
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, versionSupport: true },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

export class Client {
  #heard = [];
  #listeners = new Set();

  /** Starts a server. `command` is what runs, with its arguments. */
  constructor(command = [process.execPath, cli, 'lsp', '--stdio']) {
    this.process = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = once(this.process, 'exit').then(([code]) => code);
    this.said = '';
    this.process.stderr.setEncoding('utf8').on('data', (text) => (this.said += text));
    this.connection = createMessageConnection(new StreamMessageReader(this.process.stdout), new StreamMessageWriter(this.process.stdin));
    // Writing to a process that has ended is no error of a test about its end.
    this.connection.onError(() => undefined);
    this.connection.onNotification((method, params) => {
      this.#heard.push({ method, params });
      for (const tell of this.#listeners) tell();
    });
    this.connection.listen();
  }

  /** Starts a server and initializes it. */
  static async ready(options, capabilities = CAPABILITIES) {
    const client = new Client();
    client.initialized = await client.initialize(options, capabilities);
    await client.notify('initialized', {});
    return client;
  }

  initialize(initializationOptions, capabilities = CAPABILITIES) {
    return this.ask('initialize', { processId: process.pid, rootUri: null, capabilities, ...(initializationOptions ? { initializationOptions } : {}) });
  }

  ask(method, params) {
    return this.connection.sendRequest(method, params);
  }

  notify(method, params) {
    return this.connection.sendNotification(method, params);
  }

  /** All notifications of a method so far. */
  heard(method) {
    return this.#heard.filter((one) => one.method === method).map(({ params }) => params);
  }

  /** The first notification of a method that fits, which may have come already. */
  async hear(method, fits = () => true) {
    for (;;) {
      const found = this.heard(method).find(fits);
      if (found !== undefined) return found;
      await new Promise((resolve) => {
        const tell = () => {
          this.#listeners.delete(tell);
          resolve();
        };
        this.#listeners.add(tell);
      });
    }
  }

  open(uri, text, { version = 1, languageId = 'json' } = {}) {
    return this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
  }

  /** Replaces the whole text, or ranges of it. */
  change(uri, version, ...contentChanges) {
    return this.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: contentChanges.map((change) => (typeof change === 'string' ? { text: change } : change)),
    });
  }

  /** The diagnostics of a version of a document. */
  async diagnostics(uri, version = 1) {
    const found = await this.hear('textDocument/publishDiagnostics', (one) => one.uri === uri && one.version === version);
    return found.diagnostics;
  }

  /** Opens a document and returns its diagnostics. */
  async judged(uri, text, languageId) {
    await this.open(uri, text, { languageId });
    return this.diagnostics(uri);
  }

  /** Asks to shut down and to exit. Returns the exit code. */
  async end() {
    await this.ask('shutdown');
    await this.notify('exit');
    return this.exited;
  }

  /** Ends the process however it is. */
  stop() {
    this.connection.dispose();
    this.process.kill('SIGKILL');
  }
}

/** The text in a range of a document, counted in UTF-16 units, with each of the line ends of the protocol. */
export function textIn(text, { start, end }) {
  const starts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + lineEnd.length);
  const at = ({ line, character }) => starts[line] + character;
  return text.slice(at(start), at(end));
}

/** The position of the first occurrence of a part of a text, `within` characters into it. */
export function positionOf(text, part, within = 0) {
  const index = text.indexOf(part);
  if (index === -1) throw new Error(`the text has no ${part}`);
  const before = text.slice(0, index + within).split(/\r\n|\n|\r/);
  return { line: before.length - 1, character: before.at(-1).length };
}

/** A text with edits of the protocol. */
export function edited(text, edits) {
  const starts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + lineEnd.length);
  const at = ({ line, character }) => starts[line] + character;
  return [...edits]
    .sort((a, b) => at(b.range.start) - at(a.range.start))
    .reduce((result, { range, newText }) => result.slice(0, at(range.start)) + newText + result.slice(at(range.end)), text);
}
