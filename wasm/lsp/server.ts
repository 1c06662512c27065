// @ts-nocheck
// The language server: the protocol's side, which never reads a document itself. A thread of its own does (`judge.js`).
import {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  ErrorCodes,
  LSPErrorCodes,
  MarkupKind,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isLikeEpcis } from '../document/detect.ts';
import { decoded } from '../document/words.ts';
import { actionsFor, FIX_ALL } from './actions.ts';
import { Judging, Stopped } from './judging.ts';
import { optionsOf, SECTION, settingsOf } from './settings.ts';
import { written } from './written.ts';

/** The longest document that is read, in bytes of UTF-8. */
export const LONGEST = 16 * 1024 * 1024;
/** How long a document must be unchanged before it is judged, in milliseconds. */
const PAUSE = 200;

const SEVERITIES = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning, hint: DiagnosticSeverity.Hint };

/**
 * Serves a client over two streams, until it asks to exit or the input ends; then the process ends, with 0 after `shutdown` and 1 without.
 *
 * @param startJudge starts the thread that runs `judge.js`, and returns its `Worker`
 * @param version the version of the package
 * @param pause how long a document must be unchanged before it is judged, in milliseconds
 */
export function listen({ input, output, startJudge, version, pause = PAUSE }) {
  const connection = createConnection(input, output);
  const server = new Server(connection, new Judging(startJudge), version, pause);
  server.listen();
}

class Server {
  #connection;
  #judging;
  #documents = new TextDocuments(TextDocument);
  #settings;
  #client = {};
  #version;
  #pause;
  #isShutDown = false;
  /** What is known of each open document: `{timer, diagnosed: {version, diagnostics, fixes}, isTold, hasMarks}`. */
  #states = new Map();
  /** The addresses of the documents to judge, in the order in which they came. */
  #waiting = new Set();
  /** The document that is being judged: `{uri, version}`. */
  #current;

  constructor(connection, judging, version, pause) {
    this.#connection = connection;
    this.#judging = judging;
    this.#version = version;
    this.#pause = pause;
  }

  listen() {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onShutdown(() => {
      this.#isShutDown = true;
      for (const uri of this.#states.keys()) this.#forget(uri);
      this.#judging.stop('the server is shut down');
    });
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings));
    connection.onHover(this.#served((params, token) => this.#hover(params, token)));
    connection.onDocumentSymbol(this.#served((params, token) => this.#symbols(params, token)));
    connection.onCodeAction(this.#served((params) => this.#actions(params)));
    const documents = this.#documents;
    documents.onDidOpen(({ document: { uri } }) => {
      this.#forget(uri);
      this.#states.set(uri, {});
    });
    documents.onDidChangeContent(({ document }) => this.#changed(document));
    documents.onDidClose(({ document }) => this.#closed(document));
    documents.listen(connection);
    connection.listen();
  }

  /** Refuses requests before `initialize` and after `shutdown`. */
  #served(handler) {
    return (params, token) => {
      if (this.#isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, 'the server is shut down');
      if (this.#settings === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'initialize was not asked yet');
      return handler(params, token);
    };
  }

  #initialize({ initializationOptions, capabilities = {} }) {
    let settings;
    try {
      settings = optionsOf(initializationOptions);
    } catch (error) {
      // With `retry: false` an editor shows the message, and does not ask again.
      return new ResponseError(ErrorCodes.InvalidParams, error.message, { retry: false });
    }
    this.#settings = settings;
    const { textDocument = {}, workspace = {} } = capabilities;
    this.#client = {
      hasMarkdown: textDocument.hover?.contentFormat?.includes(MarkupKind.Markdown) ?? false,
      hasTrees: textDocument.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false,
      hasVersions: workspace.workspaceEdit?.documentChanges ?? false,
      hasLinks: textDocument.publishDiagnostics?.codeDescriptionSupport ?? false,
      hasRelated: textDocument.publishDiagnostics?.relatedInformation ?? false,
    };
    return {
      serverInfo: { name: 'epcis-edge', version: this.#version },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        documentSymbolProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
      },
    };
  }

  /** Takes new settings. Wrong ones are shown to the user, and the old ones stay. Editors also send settings without our section. */
  #configure(settings) {
    if (settings?.[SECTION] === undefined) return;
    let own;
    try {
      own = settingsOf(settings[SECTION]);
    } catch (error) {
      this.#show(MessageType.Error, `${error.message}. The settings before it stay in force.`);
      return;
    }
    this.#settings = own;
    for (const document of this.#documents.all()) this.#changed(document);
  }

  /** Shows a message to the user, who need not answer it. */
  #show(type, words) {
    this.#connection.sendNotification(ShowMessageNotification.type, { type, message: `epcis-edge: ${words}` });
  }

  // Judging.

  #changed(document) {
    const { uri } = document;
    const state = this.#states.get(uri);
    clearTimeout(state.timer);
    state.timer = setTimeout(() => this.#enqueue(uri), this.#pause);
  }

  #closed({ uri }) {
    const { hasMarks } = this.#states.get(uri);
    this.#forget(uri);
    if (hasMarks) this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #forget(uri) {
    clearTimeout(this.#states.get(uri)?.timer);
    this.#states.delete(uri);
    this.#waiting.delete(uri);
    if (this.#current?.uri === uri) this.#judging.stop('the document was closed');
  }

  #enqueue(uri) {
    this.#waiting.add(uri);
    if (this.#current === undefined) this.#work();
    else if (this.#current.uri === uri) this.#judging.stop();
  }

  /** Judges the waiting documents, one after the other. */
  async #work() {
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      const document = this.#documents.get(uri);
      this.#current = { uri };
      try {
        await this.#judge(document);
      } catch (error) {
        this.#failed(document, error);
      }
      this.#current = undefined;
    }
  }

  /** Takes back the diagnostics of a document that could not be judged. A document that has changed or was closed is none of these. */
  #failed(document, error) {
    const { uri } = document;
    if (error instanceof Stopped && !error.isSlow) return;
    if (!(error instanceof Stopped)) this.#connection.console.error(`${uri}: ${error?.stack ?? error}`);
    const state = this.#states.get(uri);
    if (state === undefined) return;
    this.#tell(document, `it was not judged: ${error instanceof Stopped ? error.message : 'the log has a defect of the program'}`);
    state.diagnosed = undefined;
    if (state.hasMarks) this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    state.hasMarks = false;
  }

  /** Says once of a document why it has no diagnostics. */
  #tell({ uri }, why) {
    const state = this.#states.get(uri);
    if (state === undefined || state.isTold) return;
    state.isTold = true;
    this.#show(MessageType.Info, `${decoded(uri.split('/').at(-1))}: ${why}`);
  }

  async #judge(document) {
    const { uri, version } = document;
    const text = document.getText();
    const state = this.#states.get(uri);
    const isLong = isLongerThan(text, LONGEST);
    if (isLong) this.#tell(document, `it is longer than ${LONGEST / 1024 / 1024} MiB and was not judged; \`epcis-edge validate\` has no such limit`);
    const isOurs = !isLong && isLikeEpcis(text);
    const { diagnostics, fixes } = isOurs ? await this.#judging.ask('diagnose', text, { settings: this.#settings }) : { diagnostics: [], fixes: [] };
    if (this.#states.get(uri) !== state || this.#documents.get(uri)?.version !== version) return;
    if (!isLong) state.isTold = false;
    const marks = diagnostics.map((one) => this.#diagnostic(document, one));
    state.diagnosed = { version, diagnostics: marks, fixes };
    // Other JSON and XML gets no message at all, unless it was EPCIS before.
    if (isOurs || isLong || state.hasMarks) this.#connection.sendDiagnostics({ uri, version, diagnostics: marks });
    state.hasMarks = isOurs;
  }

  #diagnostic(document, { from, to, severity, code, message, href, related = [] }) {
    const { hasLinks, hasRelated } = this.#client;
    return {
      range: rangeOf(document, { from, to }),
      severity: SEVERITIES[severity],
      code,
      source: 'epcis-edge',
      message,
      ...(hasLinks && href !== undefined ? { codeDescription: { href } } : {}),
      ...(hasRelated && related.length > 0
        ? { relatedInformation: related.map((place) => ({ location: { uri: document.uri, range: rangeOf(document, place) }, message: place.message })) }
        : {}),
    };
  }

  // Requests.

  /** Asks the thread about an open document: `{document, answer}`. Undefined if the document is not EPCIS, or too long. */
  async #asked({ textDocument: { uri } }, token, ask, rest) {
    const document = this.#documents.get(uri);
    const text = document?.getText();
    if (text === undefined || isLongerThan(text, LONGEST) || !isLikeEpcis(text)) return undefined;
    const { version } = document;
    try {
      const answer = await this.#judging.ask(ask, text, rest?.(document));
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      if (document.version !== version) throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
      return { document, answer };
    } catch (error) {
      if (error instanceof Stopped) throw new ResponseError(LSPErrorCodes.ContentModified, error.message);
      throw error;
    }
  }

  async #hover(params, token) {
    const { document, answer } = (await this.#asked(params, token, 'explain', (own) => ({ offset: own.offsetAt(params.position) }))) ?? {};
    if (answer === undefined) return null;
    const { hasMarkdown } = this.#client;
    return {
      contents: { kind: hasMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: written(answer.lines, hasMarkdown) },
      range: rangeOf(document, answer),
    };
  }

  async #symbols(params, token) {
    const { document, answer = [] } = (await this.#asked(params, token, 'symbols')) ?? {};
    return answer.map(({ name, detail, from, to }) => {
      const range = rangeOf(document, { from, to });
      const kind = SymbolKind.Event;
      return this.#client.hasTrees
        ? { name, detail, kind, range, selectionRange: rangeOf(document, { from, to: from + 1 }) }
        : { name: detail === '' ? name : `${name}, ${detail}`, kind, location: { uri: document.uri, range } };
    });
  }

  #actions({ textDocument: { uri }, range, context }) {
    const document = this.#documents.get(uri);
    const diagnosed = this.#states.get(uri)?.diagnosed;
    // The fixes of an older version would edit the wrong places.
    if (document === undefined || diagnosed?.version !== document.version) return [];
    return actionsFor({ document, range, context, ...diagnosed, hasVersions: this.#client.hasVersions });
  }
}

/** Whether a text has more bytes in UTF-8. */
const isLongerThan = (text, bytes) => text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);

const rangeOf = (document, { from, to }) => ({ start: document.positionAt(from), end: document.positionAt(to) });
